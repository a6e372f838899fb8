import type { ContentSource } from '../../core/content/index.js'
import * as check from '../../core/options.js'

/** The fields of an object in an answer or a payload. */
// biome-ignore lint/suspicious/noExplicitAny: the JSON of a CMS has any shape, and a rule reads it by optional chaining
export type ContentFields = Readonly<Record<string, any>>

/** A CMS's answer in JSON. */
export type JsonAnswer = { url: string; json: ContentFields }

/** How a CMS identifies its entries. Ids and types are texts or numbers. */
export interface ContentRule {
  /** Returns the id of an object that is an entry, or a list of ids. Returns `undefined` for other objects. */
  idOf: (object: ContentFields) => unknown
  /** Returns the type of an entry. Default: no type is known. */
  typeOf?: ((entry: ContentFields) => unknown) | undefined
  /**
   * Returns the types of the entries that a query lists, even if the list is empty. Returns `undefined` if the types
   * are not known, or if the answer shows entries without their ids: then each webhook of the CMS purges the page. Not
   * called for a single entry. Default: the types of the entries in the list.
   */
  listsOf?: ((answer: JsonAnswer) => readonly unknown[] | undefined) | undefined
  /** Name of the header in which the CMS lists tags of its own, separated by spaces. Default: no header. */
  tagsHeader?: string | undefined
  /**
   * Whether a list inside an entry also changes when another entry refers to this entry. Default `false`: the list
   * changes only when the entry itself is edited.
   */
  hasBackReferences?: boolean | undefined
  /**
   * Returns the ids and types of the entries that a payload names. The types must be those that `listsOf` returns.
   * Returns `undefined` for an unknown payload. Default: the payload is the entry.
   */
  changeOf?:
    | ((payload: ContentFields) => { ids: readonly unknown[]; types?: readonly unknown[] } | undefined)
    | undefined
  /**
   * Milliseconds after a webhook within which an answer may still show what was before. Default 5,000, because some
   * webhooks are sent before the change is committed.
   */
  settles?: number | undefined
}

const checks: check.OptionChecks<ContentRule> = {
  idOf: check.required(check.checkFunction),
  typeOf: check.checkFunction,
  listsOf: check.checkFunction,
  tagsHeader: check.checkString,
  hasBackReferences: check.checkBoolean,
  changeOf: check.checkFunction,
  settles: check.integer(),
}

/**
 * Creates the content source of a CMS from its rule. For well-known CMSs, see {@link contentSources}.
 *
 * @param name Beginning of each tag: `shop:42` for an entry, `shop:type:shoe` for the lists of a type, and `shop` for
 *   answers whose types are not known.
 * @param url Matches the absolute URLs of the CMS.
 * @throws TypeError that names the malformed option.
 * @example
 * const shop = contentSource('shop', /\/shop\/api\//, { idOf: ({ sku }) => sku, typeOf: ({ kind }) => kind })
 * shop.tagsOfPayload({ sku: 42, kind: 'shoe' }) // ['shop:42', 'shop:type:shoe', 'shop']
 */
export function contentSource(name: string, url: RegExp, rule: ContentRule): ContentSource {
  check.checkString('name', name)
  check.withMethod('exec', 'a regular expression, such as /\\/shop\\//')('url', url)
  const call = "contentSource('shop', /\\/shop\\//, { idOf: ({ sku }) => sku })"
  const { idOf, typeOf, tagsHeader } = check.checkKnownOptions(rule, checks, call)
  const { changeOf = (entry) => ({ ids: [idOf(entry)], types: typeOf ? [typeOf(entry)] : [] }) } = rule

  const listTypes = (answer: JsonAnswer): readonly unknown[] | undefined => {
    const { data, items, results, story } = answer.json
    const body: unknown = data ?? items ?? results ?? story ?? answer.json
    if (rule.hasBackReferences && hasListInside(body)) return undefined
    if ((isObject(body) && isId(idOf(body))) || isOneEntry(answer, body)) return []
    if (rule.listsOf) return rule.listsOf(answer)
    return Array.isArray(body) && body.length > 0 ? body.map((entry) => isObject(entry) && typeOf?.(entry)) : undefined
  }
  const tagsOf = (ids: readonly unknown[], types: readonly unknown[] | undefined = []) => {
    const ofTypes = types.every(isId) ? types.map((type) => `${name}:type:${type}`) : [name]
    return [...new Set([...ids.map((id) => `${name}:${id}`), ...ofTypes])]
  }

  return {
    settles: rule.settles ?? 5_000,
    tagsOfAnswer({ url: from, headers, json }) {
      if (from.search(url) < 0) return []
      const listed = tagsHeader === undefined ? null : headers.get(tagsHeader)
      if (listed !== null) return tagsOf(listed.split(' '))
      const ids = objectsIn(json).flatMap((object) => (Array.isArray(object) ? [] : idOf(object)))
      const types = isObject(json) ? listTypes({ url: from, json }) : undefined
      return tagsOf(ids.filter(isId), types ?? [undefined])
    },
    tagsOfPayload(payload) {
      const { ids, types = [] } = (isObject(payload) && changeOf(payload)) || {}
      return Array.isArray(ids) && [...ids, ...types].every(isId) ? [...tagsOf(ids, types), name] : undefined
    },
  }
}

/** Whether an entry has a list of other entries. An empty list counts, too. */
function hasListInside(body: unknown): boolean {
  return objectsIn(body).some((item) => item !== body && Array.isArray(item) && (!item.length || isObject(item[0])))
}

const entryParameter = /^(?:fields\.|sys\.)?(?:slug|uid|id)$|^filters?\[(?:slug|uid|id|documentId)\](?:\[[$_]eq\])?$/
const entryPredicate = /^\[+at\((?:my\.[^.,]+|document)\.(?:uid|id),/

/** Whether a list has a single entry because the query names this entry, or matches no other entry. */
function isOneEntry({ url, json }: JsonAnswer, body: unknown): boolean {
  if (!Array.isArray(body) || body.length !== 1) return false
  const { search, searchParams } = new URL(url)
  const isLimited = /[?&](?:limit|pageSize)=1(?:&|$)/.test(search) && !/[?&]order/.test(search)
  const isOnly = isLimited && (json.total ?? json.total_results_size) === 1
  return isOnly || [...searchParams].some(([name, value]) => entryParameter.test(name) || entryPredicate.test(value))
}

/** Returns all objects and lists in a value, at any depth. References that a client has resolved may form a cycle. */
export function objectsIn(value: unknown): readonly ContentFields[] {
  const objects = new Set([value].filter(isObject))
  for (const object of objects) {
    for (const child of Object.values(object)) if (isObject(child)) objects.add(child)
  }
  return [...objects]
}

/** Whether a value is an object or a list. */
export function isObject(value: unknown): value is ContentFields {
  return typeof value === 'object' && value !== null
}

/** Whether a value can be the id of an entry. */
export function isId(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
}
