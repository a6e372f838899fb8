import { optionError } from '../../option-error.js'
import { checkText } from '../check-text.js'
import { isColor } from '../colors/style-color.js'
import { isPlainObject, ownEntries, ownMember } from '../values.js'
import { createInterpolator } from './color-value.js'
import { collectTokens } from './groups.js'
import { locateJsonError } from './json-error.js'
import { readDocuments } from './sources.js'
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
   * Whether to read tokens of the older format, whose property names have no `$`, too: `value`, `type`, and aliases
   * such as `{color.red.value}`. Style Dictionary 3, Tokens Studio and the drafts of 2021 use it. Default `false`:
   * these tokens are reported as problems.
   */
  legacy?: boolean | undefined
  /**
   * The other files that the document names, as text or parsed. The keys are the names in the document:
   * `{ 'themes/dark.json': … }`. A resolver document names the files in `$ref`; Tokens Studio's `$metadata.json` names
   * them in `tokenSetOrder`, without `.json`.
   */
  files?: Readonly<Record<string, DesignTokensInput>> | undefined
}

/** A JSON file, as text or parsed. */
export type DesignTokensInput = string | Readonly<Record<string, unknown>>

/** A document of design tokens, with aliases resolved. */
export interface TokenDocument {
  document: JsonObject
  tokens: readonly (readonly [token: Token, resolved: ResolvedToken])[]
  /** Returns the token with a name. */
  tokenNamed: (name: string) => Token | undefined
  resolve: (token: Token) => ResolvedToken
  /** Returns a part of a value; for a reference such as `{color.red}`, returns the value of that token. */
  follow: (part: unknown) => unknown
  /** Replaces the references within a text. */
  interpolate: (value: unknown) => unknown
}

/** The site's default, followed by its modes. */
export type TokenDocuments = readonly [base: TokenDocument, ...modes: (TokenDocument & { mode: string })[]]

/**
 * Reads design tokens with the files that belong to them, with groups extended and aliases resolved.
 *
 * @throws TypeError for an empty list, invalid JSON, JSON other than an object, a missing file, and files without any
 *   token.
 */
export function readTokenDocuments(
  input: DesignTokensInput | readonly DesignTokensInput[],
  { file, legacy, files = {} }: DesignTokensOptions,
): TokenDocuments {
  const name = file ?? 'design tokens'
  const parse = (text: DesignTokensInput, file: string | undefined): JsonObject => {
    const json: unknown = typeof text === 'string' ? parseJson(text, file) : text
    if (isPlainObject(json)) return json as JsonObject
    throw optionError(file ?? name, 'a JSON object of groups and tokens', json)
  }
  const load = (path: string): JsonObject => {
    const text = ownMember(files, path) ?? ownMember(files, path.replace(/^\.\//, ''))
    if (text !== undefined) return parse(text as DesignTokensInput, path)
    const names = Object.keys(files).join(', ') || 'no file'
    throw new TypeError(`${name}: expected ${path} in the option files, got ${names}; write files: { '${path}': … }`)
  }
  const inputs = Array.isArray(input) ? (input as DesignTokensInput[]) : [input as DesignTokensInput]
  if (inputs.length === 0) throw optionError(name, 'at least one document', input, 'write fromDesignTokens([tokens])')
  const { base, modes } = readDocuments(
    inputs.map((text) => parse(text, file)),
    load,
  )
  const [first, ...rest] = [base, ...modes.values()].map((json) => readDocument(json, legacy))
  checkTokens([first as TokenDocument, ...rest], [base, ...modes.values()], name, legacy)
  const names = [...modes.keys()]
  return [first as TokenDocument, ...rest.map((document, index) => ({ ...document, mode: names[index] as string }))]
}

function readDocument(json: JsonObject, legacy: boolean | undefined): TokenDocument {
  const document = legacy ? fromLegacy(json) : json
  const tokens = collectTokens(document)
  const resolve = createAliasResolver(tokens)
  const follow = (part: unknown) => {
    const name = parseReference(part)
    const token = name && tokens.get(nameOf(name))
    return token ? resolve(token).end?.value : part
  }
  return {
    document,
    tokens: Array.from(tokens.values(), (token) => [token, resolve(token)] as const),
    tokenNamed: (name) => tokens.get(name),
    resolve,
    follow,
    interpolate: createInterpolator(document, follow),
  }
}

function checkTokens(
  documents: readonly TokenDocument[],
  sources: readonly JsonObject[],
  name: string,
  legacy: boolean | undefined,
): void {
  const converted = documents.flatMap(({ tokens }) => tokens.map(([token]) => token))
  // The conversion of a legacy document leaves out other members, so the original is read for the error.
  const tokens =
    converted.length === 0 && legacy ? sources.flatMap((json) => [...collectTokens(json).values()]) : converted
  if (tokens.length === 0 || !tokens.every(isMistake)) return
  const hasLegacy = tokens.some(({ problem }) => problem === legacyTokenProblem)
  const got = hasLegacy ? 'legacy tokens, with "value" instead of "$value"; the option legacy reads them' : 'none'
  throw new TypeError(`${name}: expected at least one design token, an object with a $value, got ${got}`)
}

function isMistake({ problem, groupType }: Token): boolean {
  return problem === legacyTokenProblem || (problem === notATokenProblem && groupType === undefined)
}

function parseJson(text: string, file: string | undefined): unknown {
  const json = checkText(file ?? 'design tokens', text, 'the text of a JSON file', 'tokens.json').replace(/^\uFEFF/, '')
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

/**
 * Converts a document of the older format: `value`, `type` and `deprecated` get their `$`, an alias loses its `.value`,
 * and other members of a token (`comment`, `attributes`) or group (`component`) are left out. The `type` of a group
 * becomes the type of its tokens. A color without a type gets the type `color`, since types were optional.
 */
function fromLegacy(document: JsonObject): JsonObject {
  return convertGroup(document, 0, false)
}

function convertGroup(group: JsonObject, depth: number, inheritsType: boolean): JsonObject {
  const hasType = inheritsType || typeof ownMember(group, 'type') === 'string' || Object.hasOwn(group, '$type')
  const members = ownEntries(group).flatMap(([key, member]): [string, unknown][] => {
    if (key === 'type' && typeof member === 'string') return [['$type', member]]
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
    ...(typeof type === 'string' && { $type: type }),
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
