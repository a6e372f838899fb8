import { createAliasResolver, type Followed } from './aliases.js'
import { locateJsonError } from './json-error.js'
import { isJsonObject, type Json } from './references.js'
import { collectTokens, notATokenProblem, type Token } from './tokens.js'

export interface DesignTokensOptions {
  /** What errors and problems call the document: `'tokens.json'`. */
  file?: string | undefined
}

/** A document of design tokens, and what each of them comes to. */
export interface TokenDocument {
  document: Json
  tokens: readonly (readonly [token: Token, followed: Followed])[]
}

/**
 * Reads a document of design tokens, its groups extended and its aliases followed.
 *
 * @throws TypeError for a text that is no JSON, for JSON that is no object, and for one that holds no token at all.
 */
export function readTokenDocument(given: string | object, { file }: DesignTokensOptions): TokenDocument {
  const document: unknown = typeof given === 'string' ? parseJson(given, file) : given
  const subject = file ?? 'design tokens'
  if (!isJsonObject(document)) {
    throw new TypeError(`${subject}: the document is no JSON object; write one of groups and tokens`)
  }
  const tokens = collectTokens(document)
  const follow = createAliasResolver(tokens)
  const read = Array.from(tokens.values(), (token) => [token, follow(token)] as const)
  if (read.length > 0 && read.every(([{ problem, groupType }]) => problem === notATokenProblem && groupType === undefined)) {
    throw new TypeError(`${subject}: the document holds no design token; each is an object with a $value`)
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
        ? `${file}:${line}:${column}: no JSON: ${reason}`
        : `design tokens: no JSON at line ${line}, column ${column}: ${reason}`,
    )
  }
}
