import { createFollower, type Followed } from './aliases.js'
import { placeOfJsonError } from './json-error.js'
import { isJson, type Json } from './references.js'
import { collectTokens, notToken, type Token } from './tokens.js'

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
  if (!isJson(document)) {
    throw new TypeError(`${subject}: the document is no JSON object; write one of groups and tokens`)
  }
  const tokens = collectTokens(document)
  const follow = createFollower(tokens)
  const read = Array.from(tokens.values(), (token) => [token, follow(token)] as const)
  if (read.length > 0 && read.every(([{ problem, groupType }]) => problem === notToken && groupType === undefined)) {
    throw new TypeError(`${subject}: the document holds no design token; each is an object with a $value`)
  }
  return { document, tokens: read }
}

function parseJson(text: string, file: string | undefined): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    const { line, column } = placeOfJsonError(json)
    const reason = (error as Error).message
    throw new TypeError(
      file
        ? `${file}:${line}:${column}: no JSON: ${reason}`
        : `design tokens: no JSON at line ${line}, column ${column}: ${reason}`,
    )
  }
}
