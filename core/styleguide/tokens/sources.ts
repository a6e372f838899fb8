import { ownEntries, ownMember } from '../values.js'
import { isJsonObject, isLegacyToken, type JsonObject, maxDepth, memberAt } from './token.js'

/** Token documents, merged for the site's default and for each mode. */
export interface TokenSources {
  base: JsonObject
  modes: ReadonlyMap<string, JsonObject>
}

/** Returns the parsed document of a file; throws for a file that is missing. */
export type LoadFile = (name: string) => JsonObject

/**
 * Merges the files that a document names: the sets and modifiers of a resolver document (Resolver Module 2025.10), or
 * the token sets and themes of Tokens Studio. Returns any other document unchanged.
 *
 * @throws TypeError for a missing set, modifier or file, and for circular sets.
 */
function readSources(document: JsonObject, load: LoadFile): TokenSources {
  if (Array.isArray(document.resolutionOrder)) return readResolver(document, document.resolutionOrder, load)
  const metadata = ownMember(document, '$metadata') ?? document
  const order = ownMember(metadata, 'tokenSetOrder')
  const themes = ownMember(document, '$themes')
  if (!Array.isArray(order)) return { base: document, modes: new Map() }
  return readTokenSets(order.map(String), Array.isArray(themes) ? themes : [], (name) => {
    const set = ownMember(document, name)
    return isJsonObject(set) ? set : load(`${name}.json`)
  })
}

/**
 * Merges a list of documents. Figma's own export has a file for each mode, with the name of the mode: files that name
 * different modes for a token are these modes, and include all other files. Later files override earlier ones.
 */
export function readDocuments(documents: readonly JsonObject[], load: LoadFile): TokenSources {
  const nameOf = (document: JsonObject) => ownMember(ownMember(document, '$extensions'), 'com.figma.modeName')
  const named = documents.filter((document) => nameOf(document) !== undefined)
  const isMode = (document: JsonObject) =>
    named.includes(document) && named.some((other) => nameOf(other) !== nameOf(document) && haveToken(document, other))
  const modes = new Set(documents.filter(isMode))
  if (modes.size === 0) return readSources(mergeGroups(documents), load)
  const compose = (name?: unknown) =>
    mergeGroups(documents.filter((document) => !modes.has(document) || nameOf(document) === name))
  const names = new Set(Array.from(modes, nameOf))
  return { base: compose(), modes: new Map(Array.from(names, (name) => [String(name), compose(name)])) }
}

/** Whether two groups have a token in common. */
function haveToken(first: JsonObject, second: JsonObject, depth = 0): boolean {
  return ownEntries(first).some(([key, member]) => {
    const other = ownMember(second, key)
    if (key.startsWith('$') || !isJsonObject(member) || !isJsonObject(other) || depth > maxDepth) return false
    return isGroup(member) && isGroup(other) ? haveToken(member, other, depth + 1) : true
  })
}

/** Merges documents or groups. Groups within them are merged; a token, or any other value, replaces the earlier value of the same name. */
export function mergeGroups(documents: readonly JsonObject[]): JsonObject {
  return documents.reduce((merged, document) => merge(merged, document, 0), {})
}

function merge(first: JsonObject, second: JsonObject, depth: number): JsonObject {
  const members = new Map(ownEntries(first))
  for (const [key, value] of ownEntries(second)) {
    const earlier = members.get(key)
    const areGroups = depth < maxDepth && isGroup(earlier) && isGroup(value)
    members.set(key, areGroups ? merge(earlier, value, depth + 1) : value)
  }
  return Object.fromEntries(members)
}

function isGroup(value: unknown): value is JsonObject {
  return isJsonObject(value) && !['$value', '$ref'].some((key) => Object.hasOwn(value, key)) && !isLegacyToken(value)
}

function readResolver(resolver: JsonObject, order: readonly unknown[], load: LoadFile): TokenSources {
  const items = order.map((item) => {
    const reference = ownMember(item, '$ref')
    const name = ownMember(item, 'name') ?? String(reference).split('/').at(-1)
    const set = reference === undefined ? item : memberOf(resolver, item)
    const contexts = Object.entries(ownMember(set, 'contexts') ?? {})
    const chosen = String(ownMember(set, 'default') ?? contexts[0]?.[0])
    return { name, sources: ownMember(set, 'sources'), contexts: new Map<string, unknown>(contexts), chosen }
  })
  /** Merges the sets and the default contexts, but for one modifier another context. */
  const compose = (modifier?: (typeof items)[number], context = '') =>
    mergeGroups(
      items.flatMap((item) => {
        const { sources, contexts, chosen } = item
        const source = contexts.size > 0 ? contexts.get(item === modifier ? context : chosen) : sources
        return readSourceList(resolver, source, load, [])
      }),
    )
  const modifiers = items.filter(({ contexts, chosen }) => [...contexts.keys()].some((context) => context !== chosen))
  const modes = modifiers.flatMap((modifier) =>
    [...modifier.contexts.keys()].flatMap((context) => {
      const label = modifiers.length > 1 ? `${modifier.name}: ${context}` : context
      return context === modifier.chosen ? [] : [[label, compose(modifier, context)] as const]
    }),
  )
  return { base: compose(), modes: new Map(modes) }
}

function readSourceList(
  resolver: JsonObject,
  sources: unknown,
  load: LoadFile,
  trail: readonly string[],
): JsonObject[] {
  if (!Array.isArray(sources)) return []
  return sources.flatMap((source: unknown) => {
    const reference = ownMember(source, '$ref')
    if (typeof reference !== 'string') return isJsonObject(source) ? [source] : []
    if (trail.includes(reference)) throw new TypeError(`resolver: ${[...trail, reference].join(' → ')} is circular`)
    const [file = '', pointer] = reference.split('#')
    const target = file ? targetOf(load(file), pointer, reference) : memberOf(resolver, source)
    const inner = ownMember(target, 'sources')
    return Array.isArray(inner) ? readSourceList(resolver, inner, load, [...trail, reference]) : [target]
  })
}

function targetOf(document: JsonObject, pointer: string | undefined, reference: string): JsonObject {
  const target = pointer ? memberAt(document, `#${pointer}`) : document
  if (isJsonObject(target)) return target
  throw new TypeError(`resolver: ${reference} does not exist`)
}

function memberOf(resolver: JsonObject, reference: unknown): JsonObject {
  const pointer = ownMember(reference, '$ref')
  return targetOf(resolver, String(pointer).slice(1), String(pointer))
}

/** Merges the sets of Tokens Studio: the sets that all themes use are the default, and each theme is a mode. */
function readTokenSets(order: readonly string[], themes: readonly unknown[], setOf: LoadFile): TokenSources {
  const uses = (theme: unknown, set: string) => {
    const status = ownMember(ownMember(theme, 'selectedTokenSets'), set)
    return status !== undefined && status !== 'disabled'
  }
  const compose = (isUsed: (set: string) => boolean) => mergeGroups(order.filter(isUsed).map(setOf))
  return {
    base: compose((set) => themes.every((theme) => uses(theme, set))),
    modes: new Map(
      themes.map((theme) => [String(ownMember(theme, 'name')), compose((set) => uses(theme, set))] as const),
    ),
  }
}
