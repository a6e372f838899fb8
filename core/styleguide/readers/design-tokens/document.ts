import { optionError } from '../../../option-error.js'
import { createAliasResolver, type ResolvedToken } from './aliases.js'
import { locateJsonError } from './json-error.js'
import { fromLegacy } from './legacy.js'
import { isJsonObject, type JsonObject } from './references.js'
import { legacyTokenProblem, notATokenProblem, type Token } from './token.js'
import { collectTokens } from './tokens.js'

export interface DesignTokensOptions {
  /** File name of the document for errors and problems: `'tokens.json'`. */
  file?: string | undefined
  /**
   * Also reads tokens of the time before the format had `$`, as Style Dictionary 3, Tokens Studio and the drafts of 2021
   * wrote them: `value`, `type`, and aliases such as `{color.red.value}`. Default: they are problems.
   */
  legacy?: boolean | undefined
}

/** A document of design tokens, with aliases resolved. */
export interface TokenDocument {
  document: JsonObject
  tokens: readonly (readonly [token: Token, resolved: ResolvedToken])[]
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
  // Resolver Module 2025.10, 4.1: it names files of tokens, and in which order they override each other.
  if (Array.isArray(json.resolutionOrder)) {
    throw new TypeError(`${name}: expected design tokens, got a resolver document; read the files that its sets name`)
  }
  const document = legacy ? fromLegacy(json) : json
  const tokens = collectTokens(document)
  const resolve = createAliasResolver(tokens)
  const read = Array.from(tokens.values(), (token) => [token, resolve(token)] as const)
  // Of a legacy document, what is no token was left out.
  const found = read.length === 0 && legacy ? [...collectTokens(json).values()] : [...tokens.values()]
  if (found.length > 0 && found.every(isNoToken)) {
    const hasLegacy = found.some(({ problem }) => problem === legacyTokenProblem)
    const got = hasLegacy ? 'legacy tokens, with "value" instead of "$value"; the option legacy reads them' : 'none'
    throw new TypeError(`${name}: expected at least one design token, an object with a $value, got ${got}`)
  }
  return { document, tokens: read }
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
