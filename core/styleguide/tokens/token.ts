import { isObject, ownEntries, ownMember } from '../values.js'

/** A JSON object. */
export type JsonObject = Record<string, unknown>

export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value) && !Array.isArray(value)
}

/** Parses a reference in curly brackets: `['color', 'red']` for `'{color.red}'`. */
export function parseReference(reference: unknown): string[] | undefined {
  const [, path] = typeof reference === 'string' ? (/^\{([^{}]+)\}$/.exec(reference.trim()) ?? []) : []
  return path?.split('.')
}

/** Parses a JSON Pointer into the same document (RFC 6901): `['color', 'red']` for `'#/color/red'`. */
export function parsePointer(pointer: unknown): string[] | undefined {
  if (typeof pointer !== 'string' || !pointer.startsWith('#/')) return undefined
  try {
    const keys = decodeURIComponent(pointer.slice(2)).split('/')
    return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return undefined // a malformed escape
  }
}

/** Returns the value that a JSON Pointer refers to, unresolved; `undefined` for a dangling pointer. */
export function memberAt(document: unknown, pointer: unknown): unknown {
  return parsePointer(pointer)?.reduce(ownMember, document)
}

/** Returns a value, or the value that its `$ref` refers to; `undefined` for a dangling reference. */
export function dereference(document: unknown, value: unknown): unknown {
  let current = value
  for (let step = 0; step < maxDepth; step++) {
    if (!isJsonObject(current) || !Object.hasOwn(current, '$ref')) return current
    current = memberAt(document, current.$ref)
  }
  return undefined
}

/** A design token, or a mistake in the document. */
export interface Token {
  path: readonly string[]
  /** The token's `$value` as written, or an object with the token's `$ref`. */
  value?: unknown
  /** The token's own `$type`. */
  type?: unknown
  /** The `$type` of the nearest group that has a `$type`. */
  groupType?: unknown
  /** `true`, or the reason: the `$deprecated` of the token, or of the nearest group that has a `$deprecated`. */
  deprecated?: unknown
  /** The `$description` of the token. */
  description?: unknown
  extensions?: unknown
  problem?: string
}

/** Returns a token's name: its path, as written in references. */
export function nameOf(path: readonly string[]): string {
  return path.join('.')
}

/** The problem of a value that is neither a token nor a group. */
export const notATokenProblem = 'is not a token; write { "$value": … }'

/** The problem of a token in the older format, whose property names have no `$`. */
export const legacyTokenProblem = 'is a legacy token, with "value" instead of "$value"; the option legacy reads it'

/**
 * Whether an object is a token of Style Dictionary 3, Tokens Studio or the drafts of 2021, with `value` and often
 * `type`. If `value` is an object, it may be a token or group of that name. The object then counts as a token only if
 * its `type` is a string.
 */
export function isLegacyToken(member: JsonObject): boolean {
  if (Object.hasOwn(member, '$value') || !Object.hasOwn(member, 'value')) return false
  return !isJsonObject(ownMember(member, 'value')) || typeof ownMember(member, 'type') === 'string'
}

/** Maximum depth of nested groups, and maximum length of reference chains. No real document comes near this limit. */
export const maxDepth = 32

function containsToken(member: unknown, depth = 0): boolean {
  if (!isJsonObject(member) || depth > maxDepth) return false
  return (
    Object.hasOwn(member, '$value') ||
    isLegacyToken(member) ||
    ownEntries(member).some(([, inner]) => containsToken(inner, depth + 1))
  )
}

/** Reads a member of a group that is not a group: a token, or a mistake. */
export function readToken(document: JsonObject, member: unknown, isLegacy: boolean): Partial<Token> {
  if (!isJsonObject(member)) return { problem: notATokenProblem }
  const read = (key: string) => (isLegacy ? ownMember(member, key) : undefined)
  const type = typeof read('type') === 'string' ? read('type') : ownMember(member, '$type')
  const deprecated = read('deprecated') ?? ownMember(member, '$deprecated')
  const [extensions, description] = [ownMember(member, '$extensions'), ownMember(member, '$description')]
  const details = { type, extensions, description, ...(deprecated !== undefined && { deprecated }) }
  if (isLegacyToken(member)) {
    return { ...details, ...(isLegacy ? { value: read('value') } : { problem: legacyTokenProblem }) }
  }
  const hasValue = Object.hasOwn(member, '$value')
  const hasReference = Object.hasOwn(member, '$ref')
  const value = hasValue ? ownMember(member, '$value') : { $ref: member.$ref }
  if (!hasValue && memberAt(document, member.$ref) === undefined) {
    return { ...details, problem: `refers to ${JSON.stringify(member.$ref)}, which does not exist` }
  }
  if (hasValue && hasReference) return { ...details, value, problem: 'has both $value and $ref; remove one of them' }
  // Members that contain no token are details of a tool, such as Style Dictionary's `filePath`. Its `original` is the
  // token as written in the source.
  const isOutput = Array.isArray(ownMember(member, 'path'))
  const isDetail = (key: string) => key.startsWith('$') || (isOutput && key === 'original')
  if (!ownEntries(member).some(([key, inner]) => !isDetail(key) && containsToken(inner))) return { ...details, value }
  return { ...details, value, problem: 'is a token that contains other tokens; name its own value $root' }
}

/** A token with its aliases resolved. */
export interface ResolvedToken {
  type: unknown
  /** The token that the aliases lead to. This token has a value. */
  end?: Token
  /** The name of the token that this token refers to directly. */
  alias?: string
  /** The modifiers of Tokens Studio on the way, from the end of the aliases to the token itself. */
  modifiers: readonly object[]
  /** Why there is no token at the end of the aliases. */
  problem?: string
}

/** Creates a function that follows aliases to their end. Results are kept: each alias is followed only once. */
export function createAliasResolver(
  tokens: ReadonlyMap<string, Token>,
  find: (name: string) => Token | undefined,
): (token: Token) => ResolvedToken {
  const results = new Map<Token, ResolvedToken>()

  return (token) => {
    const chain = new Set<Token>()
    let name = nameOf(token.path)
    let end: Token | undefined = token
    while (end && !results.has(end) && !chain.has(end)) {
      const alias = aliasOf(end)
      if (alias === undefined) results.set(end, ownResult(end))
      else {
        chain.add(end)
        end = find(alias)
        name = end ? nameOf(end.path) : alias
      }
    }
    let result: ResolvedToken = (end && results.get(end)) ?? {
      type: undefined,
      modifiers: [],
      problem: problemOf(name, end),
    }
    for (const link of [...chain].reverse()) {
      const type = link.type ?? result.type ?? link.groupType
      result = { ...result, type, modifiers: [...result.modifiers, ...modifiersOf(link)], alias: name }
      results.set(link, result)
      name = nameOf(link.path)
    }
    return result
  }

  function problemOf(alias: string, circular: Token | undefined): string {
    if (circular) return `refers to {${alias}}, which is circular`
    const isGroup = [...tokens.keys()].some((name) => name.startsWith(`${alias}.`))
    return `refers to {${alias}}, which is ${isGroup ? 'a group, ' : ''}not a token`
  }
}

/** Returns the result for a token that is not an alias. */
function ownResult(token: Token): ResolvedToken {
  const own = { type: token.type ?? token.groupType, modifiers: modifiersOf(token) }
  return token.value === undefined ? { ...own, problem: token.problem ?? 'has no value' } : { ...own, end: token }
}

function modifiersOf({ extensions }: Token): object[] {
  const modifier = ownMember(ownMember(extensions, 'studio.tokens'), 'modify')
  return isJsonObject(modifier) ? [modifier] : []
}

/** Returns the name of the token that a token is an alias of. */
function aliasOf({ value }: Token): string | undefined {
  const pointer = isJsonObject(value) ? parsePointer(value.$ref) : undefined
  const path = pointer?.at(-1) === '$value' ? pointer.slice(0, -1) : (pointer ?? parseReference(value))
  return path && nameOf(path)
}
