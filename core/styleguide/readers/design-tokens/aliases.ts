import { isJsonObject, parsePointer, parseReference } from './references.js'
import { nameOf, type Token } from './tokens.js'

/** What a token comes to when its aliases are followed. */
export interface Followed {
  type: unknown
  /** The token at the end, which has a value. */
  end?: Token
  /** The token that it names. */
  alias?: string
  /** Why there is no such end. */
  problem?: string
}

/** Follows aliases to a token that is none. Each token is followed once, however long the chains are. */
export function createAliasResolver(tokens: ReadonlyMap<string, Token>): (token: Token) => Followed {
  const results = new Map<Token, Followed>()

  return (token) => {
    const chain = new Map<Token, string>()
    let end: Token | undefined = token
    for (let alias = aliasOf(token); alias && end; alias = end && aliasOf(end)) {
      if (results.has(end) || chain.has(end)) break
      chain.set(end, alias)
      end = tokens.get(alias)
    }
    const followed = followEnd(end, chain)
    let type: unknown
    for (const [link, alias] of [...chain].reverse()) {
      type = link.type ?? type ?? followed.type ?? link.groupType
      results.set(link, { ...followed, type, alias })
    }
    return results.get(token) ?? followed
  }

  function followEnd(end: Token | undefined, chain: ReadonlyMap<Token, string>): Followed {
    const known = end && results.get(end)
    if (known) return known
    const last = [...chain.values()].at(-1)
    if (!end) return { type: undefined, problem: `refers to {${last}}, which is no token` }
    if (chain.has(end)) return { type: undefined, problem: `refers to {${last}}, which leads back to it` }
    const type = end.type ?? end.groupType
    return end.value === undefined ? { type, problem: end.problem ?? 'has no value' } : { type, end }
  }
}

/** Name of the token that a token stands for. */
function aliasOf({ value }: Token): string | undefined {
  const pointer = isJsonObject(value) ? parsePointer(value.$ref) : undefined
  const path = pointer?.at(-1) === '$value' ? pointer.slice(0, -1) : (pointer ?? parseReference(value))
  return path && nameOf(path)
}
