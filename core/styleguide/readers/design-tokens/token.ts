import { ownEntries, ownMember } from '../own-members.js'
import { isJsonObject, type JsonObject, memberAt } from './references.js'

/** A design token, or a mistake in the document. */
export interface Token {
  path: readonly string[]
  /** `$value` as written, or an object with its `$ref`. */
  value?: unknown
  /** Its own `$type`. */
  type?: unknown
  /** The `$type` of the nearest group that has one. */
  groupType?: unknown
  /** `$deprecated`, its own or that of the nearest group that has one: `true`, or the reason. */
  deprecated?: unknown
  problem?: string
}

/** Returns a token's name: its path, as written in references. */
export function nameOf(path: readonly string[]): string {
  return path.join('.')
}

/** The problem of a value that is neither a token nor a group. */
export const notATokenProblem = 'is not a token; write { "$value": … }'

/** The problem of a token of the time before the format had `$`. */
export const legacyTokenProblem = 'is a legacy token, with "value" instead of "$value"; the option legacy reads it'

/**
 * Whether an object is a token as Style Dictionary 3, Tokens Studio and the drafts of 2021 wrote it: with `value`, and often
 * `type`. A group that contains a token or a group by the name of `value` is none.
 */
export function isLegacyToken(member: JsonObject): boolean {
  if (Object.hasOwn(member, '$value') || !Object.hasOwn(member, 'value')) return false
  return !isJsonObject(ownMember(member, 'value')) || typeof ownMember(member, 'type') === 'string'
}

// As deep as groups may be nested.
const maxDepth = 64

function containsToken(member: unknown, depth = 0): boolean {
  if (!isJsonObject(member) || depth > maxDepth) return false
  return (
    Object.hasOwn(member, '$value') ||
    isLegacyToken(member) ||
    ownEntries(member).some(([, inner]) => containsToken(inner, depth + 1))
  )
}

/** Reads the member of a group that is not a group itself. */
export function readToken(document: JsonObject, member: unknown): Partial<Token> {
  if (!isJsonObject(member)) return { problem: notATokenProblem }
  const type = ownMember(member, '$type')
  const deprecated = ownMember(member, '$deprecated')
  const details = { type, ...(deprecated !== undefined && { deprecated }) }
  if (isLegacyToken(member)) return { ...details, problem: legacyTokenProblem }
  const hasValue = Object.hasOwn(member, '$value')
  const hasReference = Object.hasOwn(member, '$ref')
  const value = hasValue ? ownMember(member, '$value') : { $ref: member.$ref }
  if (!hasValue && memberAt(document, member.$ref) === undefined) {
    return { ...details, problem: `refers to ${JSON.stringify(member.$ref)}, which does not exist` }
  }
  if (hasValue && hasReference) return { ...details, value, problem: 'has both $value and $ref; remove one of them' }
  // Other members are the notes of a tool, such as Style Dictionary's `filePath`.
  if (!ownEntries(member).some(([key, inner]) => !key.startsWith('$') && containsToken(inner)))
    return { ...details, value }
  return { ...details, value, problem: 'is a token that contains other tokens; name its own value $root' }
}
