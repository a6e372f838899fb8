import {
  askedKeys,
  type ContentFields,
  contentSource,
  createIdSets,
  entriesIn,
  isId,
  keysOf,
  objectsIn,
} from './content-source.js'

// Facts of WordPress 6, from https://developer.wordpress.org/rest-api/reference/:
// - Routes of `wp/v2` have entries of one type each. A plugin's route may return anything.
// - Posts, terms, users and comments have ids of their own each, so a post and a user may have the same.
// - Fields that refer to entries by number. Taxonomies of a site are lists of numbers.
// - `count` of a term, `hide_empty`, and users depend on posts: a user without posts is hidden.
// - Comments and media are hidden together with their post.
// - A post without comments has no `replies` in `_embedded`.
// - Two pages under different parents, and so all hierarchical types, may have the same slug.

// Types of the entries of a route, and of those to which a field refers. The latter may be of any type.
const typesByName: Readonly<Record<string, string | undefined>> = {
  posts: 'post',
  pages: 'page',
  media: 'attachment',
  featured_media: 'attachment',
  categories: 'category',
  tags: 'post_tag',
  users: 'user',
  author: 'user',
  comments: 'comment',
  'menu-items': 'nav_menu_item',
  menus: 'nav_menu',
  blocks: 'wp_block',
  parent: undefined,
  post: undefined,
}

export const wordpress = contentSource('wordpress', /\/wp-json\/|[?&]rest_route=/, {
  // A post in a field of a plugin is a `WP_Post`, with `ID`.
  idOf: ({ id, ID }) => id ?? ID,
  typeOf,
  hasIdsPerType: true,
  queryOf({ url, json }) {
    const { pathname, searchParams } = new URL(url)
    const [, route] = /\/wp\/v2\/([^/]+)/.exec(searchParams.get('rest_route') ?? pathname) ?? []
    if (route === undefined) return { types: [undefined], isList: true }
    const entries = entriesIn([json])
    const embedded = entriesIn(entries.flatMap(({ _embedded }) => (_embedded ? Object.values(_embedded).flat() : [])))
    const type = typesByName[route]
    const references = createIdSets()
    for (const [name, value] of searchParams) {
      if (name in typesByName) addReferences(references, name, value.split(',').map(Number))
    }
    for (const entry of [...entries, ...embedded]) addEntryReferences(references, entry)
    const isHierarchical = route === 'pages' || entries.some(({ parent }) => parent !== undefined)
    return {
      found: json,
      types: route === 'search' ? searchTypes(searchParams) : type ? [type] : undefined,
      keys: isHierarchical ? [] : askedKeys(searchParams),
      names: [
        ...(searchParams.has('_embed') ? entries.map(({ id }) => (isId(id) ? `replies=${id}` : 'type:comment')) : []),
        ...references.names(),
      ],
      isOpen:
        searchParams.has('hide_empty') ||
        searchParams.get('orderby') === 'count' ||
        route === 'users' ||
        (/^(?:comments|media)$/.test(route) && !isId(json.id) && !searchParams.has('post')) ||
        embedded.some((entry) => !isId(entry.id)) ||
        entries.some(({ count }) => typeof count === 'number'),
      missing: searchParams.has('_fields') && !entries.every(({ id }) => isId(id)) ? ['id'] : [],
    }
  },
  // A REST body, a `WP_Post`, a `WP_Term`, a `WP_User` or a `WP_Comment`.
  changeOf(fields) {
    const { id, ID, term_id, comment_ID, post_name, post_type, post, comment_post_ID = post } = fields
    const type = typeOf(fields) ?? post_type ?? (comment_ID ? 'comment' : fields.roles && 'user')
    // A revision is saved beside each save of its post.
    if (type === 'revision') return null
    const names = keysOf({ slug: post_name, ...fields })
    if (type === 'comment' && !isId(comment_post_ID)) return undefined
    if (type === 'comment') names.push(`replies=${comment_post_ID}`)
    return { ids: [id ?? ID ?? term_id ?? comment_ID], types: [type], names }
  },
})

function typeOf({ type, subtype, taxonomy, object_id, avatar_urls }: ContentFields): unknown {
  if (object_id !== undefined) return 'nav_menu_item'
  return taxonomy ?? subtype ?? type ?? (avatar_urls && 'user')
}

/** Returns the types of a search. Without `subtype`, it may find entries of all types. */
function searchTypes(params: URLSearchParams): unknown[] {
  const subtypes = params.get('subtype')?.split(',') ?? ['any']
  return subtypes.includes('any') ? [undefined] : subtypes
}

type References = ReturnType<typeof createIdSets>

/** Adds the entries to which an entry refers by numbers, also in fields of a plugin. */
function addEntryReferences(references: References, entry: ContentFields) {
  const { object, object_id, acf, meta } = entry
  if (acf || meta) {
    for (const fields of objectsIn([acf, meta])) {
      for (const value of Object.values(fields)) if (isNumber(value)) references.add(undefined, value)
    }
  }
  if (object_id) references.add(object, object_id)
  for (const field in entry) {
    const value: unknown = entry[field]
    if (typeof value !== 'string') addReferences(references, field, value)
  }
}

function addReferences(references: References, field: string, value: unknown) {
  if (Array.isArray(value)) {
    for (const id of value) if (isNumber(id)) references.add(typesByName[field], id)
  } else if (isNumber(value) && Object.hasOwn(typesByName, field)) references.add(typesByName[field], value)
}

const isNumber = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0
