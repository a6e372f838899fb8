import { optionError } from '../../option-error.js'
import { checkText } from '../check-text.js'
import { isPlainObject, ownMember } from '../values.js'
import { createReader, type Read } from './color-value.js'
import { collectTokens } from './groups.js'
import { locateJsonError } from './json-error.js'
import { readDocuments } from './sources.js'
import {
  createAliasResolver,
  type JsonObject,
  legacyTokenProblem,
  nameOf,
  notATokenProblem,
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
  /** The mode of the site; `undefined` for its default. */
  mode: string | undefined
  /** Each token, with its alias resolved, by name. */
  tokens: ReadonlyMap<string, readonly [token: Token, resolved: ResolvedToken]>
  /** Returns a value with its references resolved, or a part of a value. */
  read: Read
}

/**
 * Reads design tokens with the files that belong to them, with groups extended and aliases resolved. Returns the site's
 * default, followed by its modes.
 *
 * @throws TypeError for an empty list, invalid JSON, JSON other than an object, a missing file, and files without any
 *   token.
 */
export function readTokenDocuments(
  input: DesignTokensInput | readonly DesignTokensInput[],
  { file, legacy, files = {} }: DesignTokensOptions,
): TokenDocument[] {
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
  const sources = [[undefined, base] as const, ...modes]
  const documents = sources.map(([mode, json]) => ({ mode, ...readDocument(json, legacy === true) }))
  const tokens = documents.flatMap(({ tokens }) => Array.from(tokens.values(), ([token]) => token))
  // Members that are no tokens are left out of legacy documents, so these are read again for the error.
  const withMistakes = () => sources.flatMap(([, json]) => [...collectTokens(json, false).values()])
  checkTokens(legacy && tokens.length === 0 ? withMistakes() : tokens, name)
  return documents
}

function readDocument(document: JsonObject, isLegacy: boolean): Omit<TokenDocument, 'mode'> {
  const tokens = collectTokens(document, isLegacy)
  // In the older format, a reference names the value of a token: `{color.red.value}`.
  const find = (name: string) => tokens.get(name) ?? (isLegacy ? tokens.get(name.replace(/\.value$/, '')) : undefined)
  const resolve = createAliasResolver(tokens, find)
  const read = createReader(document, (reference) => {
    const token = find(nameOf(reference))
    return token && { value: resolve(token).end?.value }
  })
  return { tokens: new Map(Array.from(tokens, ([name, token]) => [name, [token, resolve(token)]])), read }
}

function checkTokens(tokens: readonly Token[], name: string): void {
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
