import {
  askedKeys,
  type ContentFields,
  contentSource,
  createIdSets,
  entriesIn,
  isId,
  keysOf,
  objectsIn,
  readUrl,
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

// Fields of WordPress itself that show nothing of another entry but its number. A plugin's field may show more, such as the name
// of the author in `yoast_head`, and so does the `author_avatar_urls` of a comment.
const coreFields = new Set(
  `id date date_gmt guid modified modified_gmt slug status type link title content excerpt author featured_media comment_status
  ping_status sticky template format meta categories tags class_list parent menu_order alt_text caption description media_type
  mime_type media_details post source_url name taxonomy url avatar_urls _links _embedded`.split(/\s+/),
)

// Routes in the order of dates, and parameters by which a list keeps its entries and their order when only texts change.
const dateRoutes = new Set(['posts', 'pages', 'media'])
const stableParams = new Set(
  `rest_route _embed _fields page per_page offset order slug include exclude sticky status parent author categories tags before
  after media_type mime_type`.split(/\s+/),
)
const isStableParam = ([name, value]: readonly [string, string]) =>
  stableParams.has(name) || (name === 'orderby' && /^(?:date|id|include)$/.test(value))

export const wordpress = contentSource('wordpress', /\/wp-json\/|[?&]rest_route=/, {
  // A post in a field of a plugin is a `WP_Post`, with `ID`.
  idOf: ({ id, ID }) => id ?? ID,
  typeOf,
  hasIdsPerType: true,
  queryOf({ url, json }) {
    const { pathname, searchParams, params } = readUrl(url)
    const [, route] = /\/wp\/v2\/([^/]+)/.exec(searchParams.get('rest_route') ?? pathname) ?? []
    if (route === undefined) return { types: [undefined], isList: true }
    const entries = entriesIn([json])
    const embedded = entriesIn(entries.flatMap(({ _embedded }) => (_embedded ? Object.values(_embedded).flat() : [])))
    const type = typesByName[route]
    const types = route === 'search' ? searchTypes(searchParams) : type ? [type] : undefined
    // The entries that are shown, and those of which only the number is.
    const shown = createIdSets()
    const referred = createIdSets()
    for (const [name, value] of params) {
      if (name in typesByName) addReferences(referred, name, value.split(',').map(Number))
    }
    for (const entry of [...entries, ...embedded]) {
      const references = isCore(entry) ? referred : shown
      for (const field in entry) addReferences(references, field, entry[field])
      addPluginReferences(shown, entry)
    }
    const hasIds = entries.every(({ id }) => isId(id))
    const isStable = hasIds && dateRoutes.has(route) && params.every(isStableParam)
    const textTypes = Array.isArray(json) && !isStable ? (types ?? entries.map(typeOf)) : []
    const isHierarchical = route === 'pages' || entries.some(({ parent }) => parent !== undefined)
    return {
      found: json,
      types,
      keys: isHierarchical ? [] : askedKeys(params),
      names: [
        ...(searchParams.has('_embed') ? entries.map(({ id }) => (isId(id) ? `replies=${id}` : 'type:comment')) : []),
        ...shown.names(),
        ...referred.names().map((name) => `reference=${name}`),
        ...textTypes.filter(isId).map((name) => `type:${name}:text`),
      ],
      isOpen:
        searchParams.has('hide_empty') ||
        searchParams.get('orderby') === 'count' ||
        route === 'users' ||
        (/^(?:comments|media)$/.test(route) && !isId(json.id) && !searchParams.has('post')) ||
        embedded.some((entry) => !isId(entry.id)) ||
        entries.some(({ count }) => typeof count === 'number'),
      missing: searchParams.has('_fields') && !hasIds ? ['id'] : [],
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
    const key = id ?? ID ?? term_id ?? comment_ID
    if (fields.change === 'text' && isId(type)) return { ids: [key, `${type}:${key}`], names: [`type:${type}:text`] }
    return { ids: [key], types: [type], names: [`reference=${key}`, `reference=${type}:${key}`, ...names] }
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

// A taxonomy of the site is a list of numbers.
const isCore = (entry: ContentFields) =>
  Object.keys(entry).every((field) => coreFields.has(field) || isNumberList(entry[field]))

/** Adds the entries to which a field refers by numbers. */
function addReferences(references: References, field: string, value: unknown) {
  if (isNumberList(value)) for (const id of value) references.add(typesByName[field], id)
  else if (isNumber(value) && Object.hasOwn(typesByName, field)) references.add(typesByName[field], value)
}

/** Adds the entries to which fields of a plugin and items of a menu refer. */
function addPluginReferences(references: References, { object, object_id, acf, meta }: ContentFields) {
  if (object_id) references.add(object, object_id)
  if (!acf && !meta) return
  for (const fields of objectsIn([acf, meta])) {
    for (const value of Object.values(fields)) if (isNumber(value)) references.add(undefined, value)
  }
}

const isNumberList = (value: unknown): value is readonly number[] => Array.isArray(value) && value.every(isNumber)

const isNumber = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0
