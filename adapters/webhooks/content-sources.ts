import type { ContentSource } from '../../core/content/index.js'
import { askedKeys, contentSource, isId, isObject, type JsonAnswer, keysOf, readUrl } from './content-source.js'
import { directus } from './directus.js'
import { strapi } from './strapi.js'
import { wordpress } from './wordpress.js'

// Captures the id of the published document, also from the id of a draft or version
// (https://www.sanity.io/docs/content-lake/drafts). Images and files do not match, because they are immutable.
const published = /^(?:drafts\.|versions\.[^.]+\.)?(?!image-|file-)(.+)$/

/**
 * The content sources of well-known CMSs. An answer without any ids, or with a list of a type that a webhook does not
 * name, has the source's own tag, such as `prismic`, and each webhook of the CMS purges this tag. So has one that shows
 * a related entry of Directus without its id. The guide lists the changes that a CMS does not report.
 *
 * - `sanity`: reads `_id`, the types in the query's filters, and `syncTags`. Begin each projection with `_id`, also the
 *   projections of references. A webhook's projection needs `_id` and `_type` (https://www.sanity.io/docs/webhooks); a
 *   function may send `{"syncTags":[…]}` instead.
 * - `contentful`: reads `sys.id` of entries, assets and links, and `content_type` of the query, but not GraphQL answers
 *   (https://www.contentful.com/developers/docs/references/content-delivery-api/).
 * - `storyblok`: reads the story's `id`. Webhooks do not name the component
 *   (https://www.storyblok.com/docs/concepts/webhooks).
 * - `prismic`: reads `id`. Webhooks name documents, but not their types (https://prismic.io/docs/webhooks).
 * - `datocms`: reads the header `X-Cache-Tags`, if the request asks for it by `X-Cache-Tags: true`
 *   (https://www.datocms.com/docs/content-delivery-api/cache-tags).
 * - `wordpress`: reads `id` and `type` of the REST API. WordPress itself sends no webhooks: send
 *   `{"id":1,"type":"post"}` yourself (https://developer.wordpress.org/rest-api/reference/posts/).
 * - `directus`: reads `id`, and the collection's name in the path. Let a flow send `{{$trigger}}`
 *   (https://directus.io/docs/guides/automate/triggers).
 * - `strapi`: reads `documentId`, or in version 4 `id`. Webhooks purge the entry and, from version 5, each entry that it
 *   contains. They name a model, but URLs contain its plural
 *   (https://docs.strapi.io/cms/backend-customization/webhooks).
 *
 * A query by slug, uid or id that has found one entry counts as that entry.
 *
 * @example
 * createRevalidateEndpoint({
 *   verify: verifySanity({ secret }),
 *   content: createContentTags({ sources: [contentSources.sanity] }),
 *   invalidate: cache.invalidate,
 * })
 */
export const contentSources = {
  sanity: contentSource('sanity', /\.sanity\.io\/|\/data\/(?:query|doc)\//, {
    // The API CDN lags behind webhooks (https://www.sanity.io/docs/content-lake/api-cdn).
    settles: 10_000,
    idOf: ({ _id, _ref, syncTags }) => syncTags ?? published.exec(_id ?? _ref ?? '')?.[1],
    queryOf: (answer) => ({ types: sanityTypes(answer), isList: true }),
    changeOf: ({ _id, _type, syncTags }) =>
      syncTags ? { ids: syncTags } : { ids: [published.exec(_id ?? '')?.[1]], types: [_type] },
  }),

  contentful: contentSource('contentful', /contentful\.com\/|\/spaces\/[^/?#]+\//, {
    // Its CDN is purged within seconds, and later if much is published (https://www.contentful.com/faq/webhooks/).
    settles: 120_000,
    idOf: ({ sys }) => (kinds.has(sys?.linkType ?? sys?.type) ? sys.id : undefined),
    queryOf({ url, json }) {
      const { pathname, searchParams, params } = readUrl(url)
      const type = /\/assets\b/.test(pathname) ? 'Asset' : searchParams.get('content_type')
      const linked = params.filter(([name]) => linkedPattern.test(name))
      const linkedTypes = linked.flatMap(([name, value]) => (name.endsWith('.sys.contentType.sys.id') ? value : []))
      return {
        found: json.items ?? json,
        types: [type, ...linkedTypes],
        isList: linkedTypes.length > 0 || undefined,
        hasTypedPayloads: true,
        keys: askedKeys(params),
        isOpen: linked.length > 0 && linkedTypes.length === 0,
        // Only `select` leaves out `sys`.
        missing: json.items?.every((item: { sys?: unknown } | null) => item?.sys) === false ? ['sys'] : [],
      }
    },
    changeOf({ sys, fields }) {
      const [, kind] = /^(?:Deleted)?(Entry|Asset)$/.exec(sys?.type) ?? []
      if (!kind) return undefined
      return { ids: [sys.id], types: [kind === 'Asset' ? kind : sys.contentType?.sys?.id], names: keysOf(fields) }
    },
  }),

  storyblok: contentSource('storyblok', /\/v[12]\/(?:cdn|gapi)\/|storyblok\.com\//, {
    idOf: ({ id, uuid }) => uuid && id,
    queryOf: ({ json: { space, rel_uuids, link_uuids } }) => ({
      // The answer with the space's version shows no entry.
      types: [space && 'space'],
      // Beyond 50 related stories, an answer has their `uuid`s alone, which webhooks do not name.
      isOpen: Boolean(rel_uuids?.length || link_uuids?.length),
    }),
    // A folder that is moved changes the paths of all stories in it.
    changeOf: ({ action, story_id, datasource_slug }) =>
      action === 'moved' ? undefined : { ids: datasource_slug ? [] : [story_id] },
  }),

  prismic: contentSource('prismic', /\.prismic\.io\/|\/api\/v2\b/, {
    idOf: ({ id, type }) => type && id,
    queryOf({ url, json: { results, refs, total_results_size } }) {
      const predicates = readUrl(url)
        .searchParams.getAll('q')
        .filter((value) => uidPattern.test(value))
      const isSingleton = total_results_size === 1 && /[?&]pageSize=1(?:&|$)/.test(url) && !/[?&]orderings/.test(url)
      const isOne = results?.length === 1 && (isSingleton || predicates.length > 0)
      // The answer with the current ref shows no entry.
      return { types: [refs && 'ref'], isList: !isOne }
    },
    changeOf: ({ type, documents }) => (type === 'api-update' ? { ids: documents } : undefined),
  }),

  datocms: contentSource('datocms', /\.datocms\.com\//, {
    idOf: () => undefined,
    tagsHeader: 'X-Cache-Tags',
    changeOf: ({ entity_type, entity }) =>
      entity_type === 'cda_cache_tags' ? { ids: entity?.attributes?.tags } : undefined,
  }),

  wordpress,
  directus,
  strapi,
} satisfies Record<string, ContentSource>

const kinds = new Set(['Entry', 'Asset'])

// A filter by a field of a linked entry. The link's own id is a field of the entry itself
// (https://www.contentful.com/developers/docs/references/content-delivery-api/, "Search on references").
const linkedPattern = /^fields\.[^.]+\.(?:fields\.|sys\.(?!id\b))/

const uidPattern = /^\[+at\((?:my\.[^.,]+|document)\.(?:uid|id),/

const typeFilter = /^\s*_type\s*(?:==\s*("[^"]*"|'[^']*')|in\s*\[([^\]]*)\])\s*(?:\]|&&)/

/** Returns the types in the filters of a GROQ query, without the filter that has found a single document. */
function sanityTypes({ url, json: { query = readUrl(url).searchParams.get('query'), result } }: JsonAnswer): unknown[] {
  // Types are unknown if the query shows a referenced document without its `_id`.
  if (typeof query !== 'string' || /->(?!\s*\{\s*(?:_id\b|\.\.\.))/.test(query)) return [undefined]
  const filters = query.split(/\*\s*\[/)
  const isSingleDocument = isObject(result) && isId(result._id) && !/\border\s*\(/.test(String(filters[1]))
  // The text before the first filter has no type. Without filters, it is all there is, so the types are unknown.
  return filters.slice(isSingleDocument ? 2 : Math.min(1, filters.length - 1)).flatMap((filter) => {
    const [, type, types = type] = (filter.includes('||') ? null : typeFilter.exec(filter)) ?? []
    return types?.split(',').map((quotedType) => quotedType.trim().slice(1, -1))
  })
}
