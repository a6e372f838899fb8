import { isColor } from '../colors/style-color.js'
import { ownMember } from '../values.js'
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

/** One of the objects that make up a group: the group's own object, or an object that the group extends. */
interface Layer {
  group: JsonObject
  /** The path where the object is written. */
  source: readonly string[]
  /** The `$type` that the object's tokens have at that path. */
  type: unknown
  /** The names of the groups that led here by `$extends`. */
  extendedFrom: readonly string[]
}

type Report = (problem: string) => void

// A limit for documents whose members double with each `$extends`: a group extends a group within a group that extends
// another group, and so on.
const maxMembers = 200_000

/** The document, whether tokens of the older format are read, and the number of group members that were read. */
interface Reading {
  document: JsonObject
  isLegacy: boolean
  members: number
}

/**
 * Returns all tokens of a document by name, with groups extended: inherited tokens come first, and the group's own
 * tokens override them. Mistakes become tokens with a `problem`.
 *
 * @param isLegacy Whether tokens of the older format are read, too. The `type` of a group is the type of its tokens, and
 *   colors need no type, since types were optional.
 */
export function collectTokens(document: JsonObject, isLegacy: boolean): Map<string, Token> {
  const tokens = new Map<string, Token>()
  const reading: Reading = { document, isLegacy, members: 0 }
  visit([layerOf(reading, document, [], undefined, [])], [], undefined, undefined)
  return tokens

  function visit(
    ownLayers: readonly Layer[],
    path: readonly string[],
    inheritedType: unknown,
    inheritedDeprecated: unknown,
  ): void {
    const report: Report = (problem) => tokens.set(nameOf(path), { path, groupType: inheritedType, problem })
    if (path.length > maxDepth) return void report(`is nested deeper than ${maxDepth} levels`)
    const layers = extend(reading, ownLayers, path, report)
    const types = layers.map(({ group }) => typeOf(reading, group))
    // A token inherited by $extends keeps the type of its original path, unless this group sets a type.
    const groupType = last(types) ?? inheritedType ?? last(layers.map(({ type }) => type))
    const deprecated = last(layers.map(({ group }) => ownMember(group, '$deprecated'))) ?? inheritedDeprecated
    for (const key of new Set(layers.flatMap(({ group }) => Object.keys(group)))) {
      if (key.startsWith('$') && key !== '$root') continue
      if (++reading.members > maxMembers) return void report(`is beyond the limit of ${maxMembers} groups and tokens`)
      const { layers: group, value } = memberOf(reading, layers, key)
      const memberPath = [...path, key]
      if (group) visit(group, memberPath, groupType, deprecated)
      // In a legacy document, a color in place of a token is a mistake, but not other members such as `component`.
      else if (!isLegacy || isJsonObject(value) || (isColorText(value) && !/^(?:description|comment)$/.test(key))) {
        const isUntypedColor = isLegacy && isColorText(ownMember(value, 'value'))
        const type = groupType ?? (isUntypedColor ? 'color' : undefined)
        const token = readToken(document, value, isLegacy)
        tokens.set(nameOf(memberPath), { path: memberPath, groupType: type, deprecated, ...token })
      }
    }
  }
}

function isColorText(value: unknown): boolean {
  return typeof value === 'string' && isColor(value)
}

function layerOf(
  reading: Reading,
  group: JsonObject,
  source: readonly string[],
  inheritedType: unknown,
  extendedFrom: readonly string[],
): Layer {
  return { group, source, type: typeOf(reading, group) ?? inheritedType, extendedFrom }
}

function typeOf({ isLegacy }: Reading, group: JsonObject): unknown {
  const type = isLegacy ? ownMember(group, 'type') : undefined
  return typeof type === 'string' ? type : ownMember(group, '$type')
}

function last(values: readonly unknown[]): unknown {
  return values.findLast((value) => value !== undefined)
}

type Member = { layers: Layer[]; value?: never } | { layers?: never; value: unknown }

/** Returns a group's member. The last layer that has the key decides whether the member is a group. */
function memberOf(reading: Reading, layers: readonly Layer[], key: string): Member {
  const members: Layer[] = []
  for (const { group, source, type, extendedFrom } of [...layers].reverse()) {
    if (!Object.hasOwn(group, key)) continue
    const value = ownMember(group, key)
    if (isGroup(reading.document, value)) members.unshift(layerOf(reading, value, [...source, key], type, extendedFrom))
    else if (members.length === 0) return { value }
    else break
  }
  return { layers: members }
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

/** Returns the layers of a group, each after the layers that it extends. */
function extend(reading: Reading, layers: readonly Layer[], path: readonly string[], report: Report): Layer[] {
  return layers.flatMap((layer) => {
    const written = ownMember(layer.group, '$extends') ?? ownMember(layer.group, '$ref')
    if (written === undefined) return [layer]
    const target = parseReference(written) ?? parsePointer(written)
    const extended = target
      ? layersAt(reading, layer, target, path, report)
      : `extends ${JSON.stringify(written)}; write it as "{group}"`
    if (Array.isArray(extended)) return [...extended, layer]
    report(extended)
    return [layer]
  })
}

/** Returns the layers of the group at `target`, which another group extends, or the reason for a problem. */
function layersAt(
  reading: Reading,
  { source, extendedFrom }: Layer,
  target: readonly string[],
  path: readonly string[],
  report: Report,
): Layer[] | string {
  const name = nameOf(target)
  if (extendedFrom.length === maxDepth) return `extends {${name}}, through more than ${maxDepth} groups`
  if (extendedFrom.includes(name) || isWithin(path, target) || isWithin(source, target)) {
    return `extends {${name}}, which is circular`
  }
  let layers = [layerOf(reading, reading.document, [], undefined, [...extendedFrom, name])]
  for (const [depth, key] of target.entries()) {
    const member = memberOf(reading, layers, key)
    if (!member.layers?.length) return `extends {${name}}, which is not a group`
    reading.members += member.layers.length
    if (reading.members > maxMembers) return `extends {${name}}, beyond the limit of ${maxMembers} groups and tokens`
    layers = extend(reading, member.layers, target.slice(0, depth + 1), report)
  }
  return layers
}

function isWithin(path: readonly string[], ancestor: readonly string[]): boolean {
  return ancestor.every((key, index) => path[index] === key)
}
