import { isJsonObject, parsePointer, parseReference } from './references.js'
import { nameOf, type Token } from './token.js'

/** A token with its aliases resolved. */
export interface ResolvedToken {
  type: unknown
  /** The token at the end of the aliases, which has a value. */
  end?: Token
  /** The name of the token that it refers to directly. */
  alias?: string
  /** Why there is no such token. */
  problem?: string
}

/** Creates a function that follows aliases to their end. Each token is followed once, however long the chains. */
export function createAliasResolver(tokens: ReadonlyMap<string, Token>): (token: Token) => ResolvedToken {
  const results = new Map<Token, ResolvedToken>()
  let groups: ReadonlySet<string> | undefined

  return (token) => {
    const chain = new Map<Token, string>()
    let end: Token | undefined = token
    for (let alias = aliasOf(token); alias && end; alias = end && aliasOf(end)) {
      if (results.has(end) || chain.has(end)) break
      chain.set(end, alias)
      end = tokens.get(alias)
    }
    const resolved = resolveEnd(end, chain)
    let type: unknown
    for (const [link, alias] of [...chain].reverse()) {
      type = link.type ?? type ?? resolved.type ?? link.groupType
      results.set(link, { ...resolved, type, alias })
    }
    return results.get(token) ?? resolved
  }

  function resolveEnd(end: Token | undefined, chain: ReadonlyMap<Token, string>): ResolvedToken {
    const known = end && results.get(end)
    if (known) return known
    const last = [...chain.values()].at(-1)
    if (!end) {
      groups ??= groupNames(tokens)
      const kind = last !== undefined && groups.has(last) ? 'a group, not a token' : 'not a token'
      return { type: undefined, problem: `refers to {${last}}, which is ${kind}` }
    }
    if (chain.has(end)) return { type: undefined, problem: `refers to {${last}}, which is circular` }
    const type = end.type ?? end.groupType
    return end.value === undefined ? { type, problem: end.problem ?? 'has no value' } : { type, end }
  }
}

/** Returns the name of the token that a token is an alias of. */
function aliasOf({ value }: Token): string | undefined {
  const pointer = isJsonObject(value) ? parsePointer(value.$ref) : undefined
  const path = pointer?.at(-1) === '$value' ? pointer.slice(0, -1) : (pointer ?? parseReference(value))
  return path && nameOf(path)
}

/** Returns the names of all groups that contain a token. */
function groupNames(tokens: ReadonlyMap<string, Token>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { path } of tokens.values()) {
    for (let depth = path.length - 1; depth > 0; depth--) {
      const name = nameOf(path.slice(0, depth))
      if (names.has(name)) break
      names.add(name)
    }
  }
  return names
}
