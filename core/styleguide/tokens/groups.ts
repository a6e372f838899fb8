import { isColor } from '../colors/style-color.js'
import { ownEntries, ownMember } from '../values.js'
import { mergeGroups } from './sources.js'
import {
  isJsonObject,
  isLegacyToken,
  type JsonObject,
  maxDepth,
  memberAt,
  nameOf,
  parsePointer,
  parseReference,
  readToken,
  type Token,
} from './token.js'

// A limit for documents whose members double with each `$extends`: a group extends a group within a group that extends
// another group, and so on.
const maxMembers = 200_000

/**
 * Returns all tokens of a document by name, with groups extended: inherited tokens come first, and the group's own
 * tokens override them. Mistakes become tokens with a `problem`.
 *
 * @param isLegacy Whether tokens of the older format are read, too. The `type` of a group is the type of its tokens, and
 *   colors need no type, since types were optional.
 */
export function collectTokens(document: JsonObject, isLegacy: boolean): Map<string, Token> {
  const tokens = new Map<string, Token>()
  const problems = new Map<string, string>()
  const typeOf = (group: JsonObject) => {
    const type = isLegacy ? ownMember(group, 'type') : undefined
    return typeof type === 'string' ? type : ownMember(group, '$type')
  }
  visit(createExtender(document, typeOf, problems)(document, [], { source: [], trail: [] }), [])
  return tokens

  function visit(group: JsonObject, path: readonly string[], inheritedType?: unknown, inheritedDeprecated?: unknown) {
    const report = (problem: string) => tokens.set(nameOf(path), { path, groupType: inheritedType, problem })
    if (path.length > maxDepth) return void report(`is nested deeper than ${maxDepth} levels`)
    const groupType = typeOf(group) ?? inheritedType
    const deprecated = ownMember(group, '$deprecated') ?? inheritedDeprecated
    for (const [key, value] of ownEntries(group)) {
      if (key.startsWith('$') && key !== '$root') continue
      const memberPath = [...path, key]
      if (isGroup(document, value)) visit(value, memberPath, groupType, deprecated)
      // In a legacy document, a color in place of a token is a mistake, but not other members such as `component`.
      else if (!isLegacy || isJsonObject(value) || (isColorText(value) && !/^(?:description|comment)$/.test(key))) {
        const isUntypedColor = isLegacy && isColorText(ownMember(value, 'value'))
        const type = groupType ?? (isUntypedColor ? 'color' : undefined)
        const token = readToken(document, value, isLegacy)
        tokens.set(nameOf(memberPath), { path: memberPath, groupType: type, deprecated, ...token })
      }
    }
    const problem = problems.get(nameOf(path))
    if (problem) report(problem)
  }
}

function isColorText(value: unknown): boolean {
  return typeof value === 'string' && isColor(value)
}

function isGroup(document: JsonObject, value: unknown): value is JsonObject {
  if (!isJsonObject(value) || Object.hasOwn(value, '$value') || isLegacyToken(value)) return false
  // A reference to a group extends the group (Format Module 2025.10, 6.4.1); any other reference makes a token.
  const target = Object.hasOwn(value, '$ref') ? memberAt(document, value.$ref) : value
  return (
    isJsonObject(target) &&
    !['$value', '$ref', 'colorSpace'].some((key) => target !== value && Object.hasOwn(target, key))
  )
}

/** Where a group is written, and the names of the groups that led there by `$extends`. */
interface Origin {
  source: readonly string[]
  trail: readonly string[]
}

/** Creates a function that returns a group with the members that it and the groups within it inherit by `$extends`. */
function createExtender(
  document: JsonObject,
  typeOf: (group: JsonObject) => unknown,
  problems: Map<string, string>,
): (group: JsonObject, path: readonly string[], origin: Origin) => JsonObject {
  let members = 0
  return extend

  /** @param path The path at which the result is used. */
  function extend(group: JsonObject, path: readonly string[], { source, trail }: Origin): JsonObject {
    if (path.length > maxDepth || members > maxMembers) return group
    const entries = ownEntries(group).filter(([key]) => key !== '$extends' && key !== '$ref')
    members += entries.length
    if (members > maxMembers) problems.set(nameOf(path), `is beyond the limit of ${maxMembers} groups and tokens`)
    const own = entries.map(([key, value]): [string, unknown] => {
      if (!isGroup(document, value)) return [key, value]
      return [key, extend(value, [...path, key], { source: [...source, key], trail })]
    })
    const written = ownMember(group, '$extends') ?? ownMember(group, '$ref')
    if (written === undefined) return Object.fromEntries(own)
    const target = parseReference(written) ?? parsePointer(written)
    const extended = target
      ? inherit(target, path, { source, trail })
      : `extends ${JSON.stringify(written)}; write it as "{group}"`
    if (typeof extended !== 'string') return mergeGroups([extended, Object.fromEntries(own)])
    problems.set(nameOf(path), extended)
    return Object.fromEntries(own)
  }

  /** Returns the group at `target`, which another group extends, or the reason for a problem. */
  function inherit(target: readonly string[], path: readonly string[], { source, trail }: Origin): JsonObject | string {
    const name = nameOf(target)
    if (trail.length === maxDepth) return `extends {${name}}, through more than ${maxDepth} groups`
    if (trail.includes(name) || target.every((key, index) => source[index] === key))
      return `extends {${name}}, which is circular`
    if (++members > maxMembers) return `extends {${name}}, beyond the limit of ${maxMembers} groups and tokens`
    return groupAt(target, path, [...trail, name]) ?? `extends {${name}}, which is not a group`
  }

  function groupAt(target: readonly string[], path: readonly string[], trail: readonly string[]) {
    const found: JsonObject[] = []
    let node: unknown = document
    let type: unknown
    for (const [depth, key] of target.entries()) {
      if (!isGroup(document, node)) break
      type = typeOf(node) ?? type
      // The groups around the target may inherit a part of it.
      const around = parseReference(ownMember(node, '$extends')) ?? parsePointer(ownMember(node, '$ref'))
      const inherited = around && inherit([...around, ...target.slice(depth)], path, { source: target, trail })
      if (typeof inherited === 'object') found.push(inherited)
      node = ownMember(node, key)
    }
    if (isGroup(document, node)) found.push(extend(node, path, { source: target, trail }))
    else if (node !== undefined) return undefined
    // Inherited tokens keep the type of their original path.
    return found.length > 0 ? mergeGroups([type === undefined ? {} : { $type: type }, ...found]) : undefined
  }
}
