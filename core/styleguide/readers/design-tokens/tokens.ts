import { ownMember } from '../own-members.js'
import { isJsonObject, type Json, memberAt, parsePointer, parseReference } from './references.js'

/** A design token, or a place in the document that is wrong. */
export interface Token {
  path: readonly string[]
  /** `$value` as it is written, or an object of its `$ref`. */
  value?: unknown
  /** Its own `$type`. */
  type?: unknown
  /** The `$type` of the nearest group that has one. */
  groupType?: unknown
  /** `$deprecated`, its own or that of the nearest group that has one: `true`, or why. */
  deprecated?: unknown
  problem?: string
}

/** One of the objects that a group is made of: its own, or one that it extends. */
interface Layer {
  group: Json
  /** Where it is written. */
  source: readonly string[]
  /** The `$type` that its tokens have there. */
  type: unknown
  /** The groups that were extended to come here. */
  via: readonly string[]
}

type Report = (problem: string) => void

/** The problem of what is neither a token nor a group. */
export const notATokenProblem = 'is no token; write { "$value": … }'

// Ends a document that grows without end through `$extends`, and one whose nesting would end the stack.
const maxGroups = 20_000
const deepest = 64

/**
 * All tokens of a document by name, groups extended: what a group inherits comes first, overridden by its own. What is
 * wrong becomes a token with a `problem`.
 */
export function collectTokens(document: Json): Map<string, Token> {
  const tokens = new Map<string, Token>()
  let groups = 0
  visit([rootLayer(document, [])], [], undefined, undefined)
  return tokens

  function visit(own: readonly Layer[], path: readonly string[], inherited: unknown, deprecatedAbove: unknown): void {
    const report: Report = (problem) => tokens.set(nameOf(path), { path, groupType: inherited, problem })
    if (groups++ === maxGroups) report(`is beyond ${maxGroups} groups, and left out with all that follow`)
    else if (path.length > deepest) report(`is nested deeper than ${deepest} levels`)
    if (groups > maxGroups || path.length > deepest) return

    const layers = extend(document, own, path, report)
    const types = layers.map(({ group }) => ownMember(group, '$type'))
    // What is inherited by $extends stays what it is where it was written, unless something here says otherwise.
    const groupType = last(types) ?? inherited ?? last(layers.map(({ type }) => type))
    const deprecated = last(layers.map(({ group }) => ownMember(group, '$deprecated'))) ?? deprecatedAbove
    for (const key of new Set(layers.flatMap(({ group }) => Object.keys(group)))) {
      if (key.startsWith('$') && key !== '$root') continue
      const member = memberOf(document, layers, key)
      const memberPath = [...path, key]
      if (member.layers) visit(member.layers, memberPath, groupType, deprecated)
      else
        tokens.set(nameOf(memberPath), {
          path: memberPath,
          groupType,
          deprecated,
          ...readToken(document, member.value),
        })
    }
  }
}

function rootLayer(document: Json, via: readonly string[]): Layer {
  return layerOf(document, [], undefined, via)
}

function layerOf(group: Json, source: readonly string[], inherited: unknown, via: readonly string[]): Layer {
  return { group, source, type: ownMember(group, '$type') ?? inherited, via }
}

function last(values: readonly unknown[]): unknown {
  return values.findLast((value) => value !== undefined)
}

/** A token's name is its path, as references write it. */
export function nameOf(path: readonly string[]): string {
  return path.join('.')
}

type Member = { layers: Layer[]; value?: never } | { layers?: never; value: unknown }

/** What a group has under a key. The last layer that has it decides whether that is a group. */
function memberOf(document: Json, layers: readonly Layer[], key: string): Member {
  const members: Layer[] = []
  for (const { group, source, type, via } of [...layers].reverse()) {
    if (!Object.hasOwn(group, key)) continue
    const value = ownMember(group, key)
    if (isGroup(document, value)) members.unshift(layerOf(value, [...source, key], type, via))
    else if (members.length === 0) return { value }
    else break
  }
  return { layers: members }
}

function isGroup(document: Json, value: unknown): value is Json {
  if (!isJsonObject(value) || Object.hasOwn(value, '$value')) return false
  // A reference to a group extends it (Format Module 2025.10, 6.4.1); one to anything else makes a token.
  const target = Object.hasOwn(value, '$ref') ? memberAt(document, value.$ref) : value
  return (
    isJsonObject(target) && !['$value', '$ref', 'colorSpace'].some((key) => target !== value && Object.hasOwn(target, key))
  )
}

function readToken(document: Json, member: unknown): Partial<Token> {
  if (!isJsonObject(member)) return { problem: notATokenProblem }
  const type = ownMember(member, '$type')
  const deprecated = ownMember(member, '$deprecated')
  const own = { type, ...(deprecated !== undefined && { deprecated }) }
  const hasValue = Object.hasOwn(member, '$value')
  const value = hasValue ? ownMember(member, '$value') : { $ref: member.$ref }
  if (!hasValue && memberAt(document, member.$ref) === undefined) {
    return { ...own, problem: `refers to ${JSON.stringify(member.$ref)}, which is nothing` }
  }
  if (Object.keys(member).every((key) => key.startsWith('$'))) return { ...own, value }
  return { ...own, value, problem: 'is a token with others inside; give its own value the name $root' }
}

/** The layers of a group, each after those that it extends. */
function extend(document: Json, layers: readonly Layer[], path: readonly string[], report: Report): Layer[] {
  return layers.flatMap((layer) => {
    const written = ownMember(layer.group, '$extends') ?? ownMember(layer.group, '$ref')
    if (written === undefined) return [layer]
    const target = parseReference(written) ?? parsePointer(written)
    const extended = target
      ? layersAt(document, layer, target, path, report)
      : `extends ${JSON.stringify(written)}; write it as "{group}"`
    if (Array.isArray(extended)) return [...extended, layer]
    report(extended)
    return [layer]
  })
}

/** The layers of the group that another extends, or why there are none. */
function layersAt(
  document: Json,
  { source, via }: Layer,
  target: readonly string[],
  path: readonly string[],
  report: Report,
): Layer[] | string {
  const name = nameOf(target)
  if (via.includes(name) || isWithin(path, target) || isWithin(source, target)) {
    return `extends {${name}}, which leads back to it`
  }
  let layers = [rootLayer(document, [...via, name])]
  for (const [depth, key] of target.entries()) {
    const member = memberOf(document, layers, key)
    if (!member.layers?.length) return `extends {${name}}, which is no group`
    layers = extend(document, member.layers, target.slice(0, depth + 1), report)
  }
  return layers
}

function isWithin(path: readonly string[], ancestor: readonly string[]): boolean {
  return ancestor.every((key, index) => path[index] === key)
}
