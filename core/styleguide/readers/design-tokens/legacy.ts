import { isColor } from '../../colors/style-color.js'
import { ownEntries, ownMember } from '../own-members.js'
import { isJsonObject, type JsonObject } from './references.js'
import { isLegacyToken } from './token.js'

// What is nested deeper is left as it is; it is a problem anyway.
const maxDepth = 64

// The types of Tokens Studio that have another name in the format.
const types = new Map<unknown, string>([
  ['fontFamilies', 'fontFamily'],
  ['fontWeights', 'fontWeight'],
  ['fontSizes', 'dimension'],
  ['lineHeights', 'dimension'],
  ['letterSpacing', 'dimension'],
  ['sizing', 'dimension'],
  ['spacing', 'dimension'],
  ['borderRadius', 'dimension'],
  ['borderWidth', 'dimension'],
])

/**
 * Returns a document with the tokens of the time before the format had `$` in today's form: `value`, `type` and `deprecated`
 * get their `$`, other members of a token (`comment`, `attributes`) or group (`component`) are left out, and an alias loses its
 * `.value`. A `type` of a group is that of its tokens. A color without a type gets one, since types were optional.
 */
export function fromLegacy(document: JsonObject): JsonObject {
  return convertGroup(document, 0, false)
}

function convertGroup(group: JsonObject, depth: number, inheritsType: boolean): JsonObject {
  const hasType = inheritsType || typeof ownMember(group, 'type') === 'string' || Object.hasOwn(group, '$type')
  const members = ownEntries(group).flatMap(([key, member]): [string, unknown][] => {
    if (key === 'type' && typeof member === 'string') return [['$type', types.get(member) ?? member]]
    if (key.startsWith('$') || (isJsonObject(member) && depth === maxDepth)) return [[key, member]]
    if (!isJsonObject(member)) return isMisplacedColor(key, member) ? [[key, member]] : []
    if (isLegacyToken(member)) return [[key, convertToken(member, hasType)]]
    return [[key, Object.hasOwn(member, '$value') ? member : convertGroup(member, depth + 1, hasType)]]
  })
  return Object.fromEntries(members)
}

/** Whether a member of a group is a color in place of a token: a mistake, which is told. */
function isMisplacedColor(key: string, member: unknown): boolean {
  return key !== 'description' && key !== 'comment' && typeof member === 'string' && isColor(member)
}

function convertToken(token: JsonObject, inheritsType: boolean): JsonObject {
  const [value, type, deprecated] = ['value', 'type', 'deprecated'].map((key) => ownMember(token, key))
  const isUntypedColor = !inheritsType && typeof value === 'string' && isColor(value)
  return {
    ...(isUntypedColor && { $type: 'color' }),
    ...Object.fromEntries(ownEntries(token).filter(([key]) => key.startsWith('$'))),
    $value: convertAliases(value),
    ...(typeof type === 'string' && { $type: types.get(type) ?? type }),
    ...(deprecated !== undefined && { $deprecated: deprecated }),
  }
}

/** Converts the aliases in a value, at any depth that a value of the format has. */
function convertAliases(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(/^\s*\{([^{}]+)\.value\}\s*$/, '{$1}')
  if (depth > 3 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => convertAliases(part, depth + 1))
  return Object.fromEntries(ownEntries(value).map(([key, part]) => [key, convertAliases(part, depth + 1)]))
}
