import { optionError } from '../../../option-error.js'
import { createAliasResolver, type ResolvedToken } from './aliases.js'
import { locateJsonError } from './json-error.js'
import { isJsonObject, type JsonObject } from './references.js'
import { collectTokens, notATokenProblem, type Token } from './tokens.js'

export interface DesignTokensOptions {
  /** File name of the document for errors and problems: `'tokens.json'`. */
  file?: string | undefined
}

/** A document of design tokens, with aliases resolved. */
export interface TokenDocument {
  document: JsonObject
  tokens: readonly (readonly [token: Token, resolved: ResolvedToken])[]
}

/**
 * Reads a document of design tokens, with groups extended and aliases resolved.
 *
 * @throws TypeError for invalid JSON, for JSON other than an object, and for an object without any token.
 */
export function readTokenDocument(input: string | object, { file }: DesignTokensOptions): TokenDocument {
  const document: unknown = typeof input === 'string' ? parseJson(input, file) : input
  const name = file ?? 'design tokens'
  if (!isJsonObject(document)) throw optionError(name, 'a JSON object of groups and tokens', document)
  const tokens = collectTokens(document)
  const resolve = createAliasResolver(tokens)
  const read = Array.from(tokens.values(), (token) => [token, resolve(token)] as const)
  if (
    read.length > 0 &&
    read.every(([{ problem, groupType }]) => problem === notATokenProblem && groupType === undefined)
  ) {
    throw new TypeError(`${name}: expected at least one design token, an object with a $value, got none`)
  }
  return { document, tokens: read }
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
