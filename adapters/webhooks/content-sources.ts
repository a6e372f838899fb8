import type { ContentSource } from '../../core/content/index.js'
import { contentSource, isId, isObject, type JsonAnswer, objectsIn } from './content-source.js'

// Captures the id of the published document, also from the id of a draft or version
// (https://www.sanity.io/docs/content-lake/drafts). Images and files do not match, because they are immutable.
const published = /^(?:drafts\.|versions\.[^.]+\.)?(?!image-|file-)(.+)$/

/**
 * The content sources of well-known CMSs. An answer without any ids, or with a list of a type that a webhook does not
 * name, has the source's own tag, such as `prismic`, and each webhook of the CMS purges this tag. An entry without its id
 * beside entries with one is missed. The guide lists what else is missed.
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
    listsOf: sanityTypes,
    changeOf: ({ _id, _type, syncTags }) =>
      syncTags ? { ids: syncTags } : { ids: [published.exec(_id ?? '')?.[1]], types: [_type] },
  }),

  contentful: contentSource('contentful', /contentful\.com\/|\/spaces\/[^/?#]+\//, {
    // Its CDN is purged within seconds, and later if much is published (https://www.contentful.com/faq/webhooks/).
    settles: 120_000,
    idOf: ({ sys }) => sys && /^(?:Entry|Asset)$/.test(sys.linkType ?? sys.type) && sys.id,
    listsOf: ({ url }) => [/\/assets\b/.test(url) ? 'Asset' : new URL(url).searchParams.get('content_type')],
    changeOf({ sys }) {
      const [, kind] = /^(?:Deleted)?(Entry|Asset)$/.exec(sys?.type) ?? []
      return kind ? { ids: [sys.id], types: [kind === 'Asset' ? kind : sys.contentType?.sys?.id] } : undefined
    },
  }),

  storyblok: contentSource('storyblok', /\/v[12]\/(?:cdn|gapi)\/|storyblok\.com\//, {
    idOf: ({ id, uuid }) => uuid && id,
    // The answer with the space's version shows no entry.
    listsOf: ({ json }) => (json.space ? ['space'] : undefined),
    changeOf: ({ story_id, datasource_slug }) => ({ ids: datasource_slug ? [] : [story_id] }),
  }),

  prismic: contentSource('prismic', /\.prismic\.io\/|\/api\/v2\b/, {
    idOf: ({ id, type }) => type && id,
    // The answer with the current ref shows no entry.
    listsOf: ({ json }) => (json.refs ? ['ref'] : undefined),
    changeOf: ({ type, documents }) => (type === 'api-update' ? { ids: documents } : undefined),
  }),

  datocms: contentSource('datocms', /\.datocms\.com\//, {
    idOf: () => undefined,
    tagsHeader: 'X-Cache-Tags',
    changeOf: ({ entity_type, entity }) =>
      entity_type === 'cda_cache_tags' ? { ids: entity?.attributes?.tags } : undefined,
  }),

  wordpress: contentSource('wordpress', /\/wp-json\/|[?&]rest_route=/, {
    idOf: ({ id }) => id,
    // The next time, a search may find entries of other types.
    typeOf: ({ type, subtype, taxonomy }) => (subtype ? undefined : (type ?? taxonomy)),
  }),

  directus: contentSource('directus', /\/(?:items|files|users|graphql)\b/, {
    idOf: ({ id }) => id,
    listsOf: ({ url }) => [decodeURIComponent(/\/items\/([^/?#]+)/.exec(url)?.[1] ?? '')],
    hasBackReferences: true,
    changeOf: ({ collection, key, keys }) => ({ ids: keys ?? [key], types: [collection] }),
  }),

  strapi: contentSource('strapi', /\/(?:api|graphql)\b/, {
    idOf: ({ documentId, id, attributes }) => documentId ?? (attributes && id),
    hasBackReferences: true,
    changeOf({ entry, media }) {
      // An entry may be added to a related entry, or removed from it, without a webhook for the related entry.
      const related = objectsIn(entry).flatMap(({ documentId }) => (isId(documentId) ? documentId : []))
      const ids = [entry?.documentId ?? entry?.id ?? media?.documentId, ...related]
      return ids.length > maxRelated ? undefined : { ids }
    },
  }),
} satisfies Record<string, ContentSource>

/** Maximum number of related entries in a payload; beyond it, the payload purges all pages. */
const maxRelated = 1000

const typeFilter = /^\s*_type\s*(?:==\s*("[^"]*"|'[^']*')|in\s*\[([^\]]*)\])\s*(?:\]|&&)/

/** Returns the types in the filters of a GROQ query, without the filter that has found a single document. */
function sanityTypes({ url, json: { query = new URL(url).searchParams.get('query'), result } }: JsonAnswer): unknown[] {
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
