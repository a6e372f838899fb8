import { optionError } from '../../option-error.js'
import { isColor } from '../colors/style-color.js'
import { ownEntries, ownMember } from '../values.js'
import { collectTokens } from './groups.js'
import { locateJsonError } from './json-error.js'
import {
  createAliasResolver,
  isJsonObject,
  isLegacyToken,
  type JsonObject,
  legacyTokenProblem,
  maxDepth,
  nameOf,
  notATokenProblem,
  parseReference,
  type ResolvedToken,
  type Token,
} from './token.js'

export interface DesignTokensOptions {
  /** File name of the document for errors and problems: `'tokens.json'`. */
  file?: string | undefined
  /**
   * Also reads tokens from before the format had `$`, as written by Style Dictionary 3, Tokens Studio and the drafts of 2021: `value`,
   * `type`, and aliases such as `{color.red.value}`. Default: these tokens are reported as problems.
   */
  legacy?: boolean | undefined
}

/** A document of design tokens, with aliases resolved. */
export interface TokenDocument {
  document: JsonObject
  tokens: readonly (readonly [token: Token, resolved: ResolvedToken])[]
  /** Returns a part of a value, or the value of the token that it refers to, as `{color.red}`. */
  follow: (part: unknown) => unknown
}

/**
 * Reads a document of design tokens, with groups extended and aliases resolved.
 *
 * @throws TypeError for invalid JSON, for JSON other than an object, for a resolver document, and for an object without any
 *   token.
 */
export function readTokenDocument(input: string | object, { file, legacy }: DesignTokensOptions): TokenDocument {
  const json: unknown = typeof input === 'string' ? parseJson(input, file) : input
  const name = file ?? 'design tokens'
  if (!isJsonObject(json)) throw optionError(name, 'a JSON object of groups and tokens', json)
  // Resolver Module 2025.10, 4.1: a resolver document names token files, and the order in which they override each other.
  if (Array.isArray(json.resolutionOrder)) {
    throw new TypeError(`${name}: expected design tokens, got a resolver document; read the files that its sets name`)
  }
  const document = legacy ? fromLegacy(json) : json
  const tokens = collectTokens(document)
  const resolve = createAliasResolver(tokens)
  const read = Array.from(tokens.values(), (token) => [token, resolve(token)] as const)
  // The conversion of a legacy document left out other members, so the original is read for the error.
  const found = read.length === 0 && legacy ? [...collectTokens(json).values()] : [...tokens.values()]
  if (found.length > 0 && found.every(isNoToken)) {
    const hasLegacy = found.some(({ problem }) => problem === legacyTokenProblem)
    const got = hasLegacy ? 'legacy tokens, with "value" instead of "$value"; the option legacy reads them' : 'none'
    throw new TypeError(`${name}: expected at least one design token, an object with a $value, got ${got}`)
  }
  const follow = (part: unknown) => {
    const name = parseReference(part)
    const token = name && tokens.get(nameOf(name))
    return token ? resolve(token).end?.value : part
  }
  return { document, tokens: read, follow }
}

function isNoToken({ problem, groupType }: Token): boolean {
  return problem === legacyTokenProblem || (problem === notATokenProblem && groupType === undefined)
}

function parseJson(text: string, file: string | undefined): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    const { line, column } = locateJsonError(json)
    const reason = (error as Error).message
    throw new TypeError(
      file
        ? `${file}:${line}:${column}: invalid JSON: ${reason}`
        : `design tokens: invalid JSON at line ${line}, column ${column}: ${reason}`,
    )
  }
}

// The types of Tokens Studio that have a different name in the format.
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
 * Returns a document with tokens from before the format had `$` in today's form: `value`, `type` and `deprecated` get their `$`, other
 * members of a token (`comment`, `attributes`) or group (`component`) are left out, and an alias loses its `.value`. The `type` of a
 * group becomes the type of its tokens. A color without a type gets the type `color`, since types were optional.
 */
function fromLegacy(document: JsonObject): JsonObject {
  return convertGroup(document, 0, false)
}

function convertGroup(group: JsonObject, depth: number, inheritsType: boolean): JsonObject {
  const hasType = inheritsType || typeof ownMember(group, 'type') === 'string' || Object.hasOwn(group, '$type')
  const members = ownEntries(group).flatMap(([key, member]): [string, unknown][] => {
    if (key === 'type' && typeof member === 'string') return [['$type', types.get(member) ?? member]]
    if (key.startsWith('$') || (isJsonObject(member) && depth > maxDepth)) return [[key, member]]
    if (!isJsonObject(member)) return isMisplacedColor(key, member) ? [[key, member]] : []
    if (isLegacyToken(member)) return [[key, convertToken(member, hasType)]]
    return [[key, Object.hasOwn(member, '$value') ? member : convertGroup(member, depth + 1, hasType)]]
  })
  return Object.fromEntries(members)
}

/** Whether a member of a group is a color in place of a token, which is a mistake that must be reported. */
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

/** Converts the aliases in a value, at any depth that the format allows. */
function convertAliases(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(/^\s*\{([^{}]+)\.value\}\s*$/, '{$1}')
  if (depth > 3 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => convertAliases(part, depth + 1))
  return Object.fromEntries(ownEntries(value).map(([key, part]) => [key, convertAliases(part, depth + 1)]))
}
