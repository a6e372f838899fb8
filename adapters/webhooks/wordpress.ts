import {
  askedKeys,
  type ContentFields,
  type ContentQuery,
  contentSource,
  isId,
  isObject,
  keysOf,
  objectsIn,
} from './content-source.js'

// Facts of WordPress 6, from https://developer.wordpress.org/rest-api/reference/:
// - Routes of `wp/v2` and their types. A plugin's route may return anything.
// - Posts, terms, users and comments have ids of their own each, so a post and a user may have the same.
// - Fields that refer to entries by number. Taxonomies of a site are lists of numbers.
// - `count` of a term, `hide_empty`, and the list of users depend on posts.
// - Two pages under different parents, and so all hierarchical types, may have the same slug.
const routeTypes: Readonly<Record<string, string>> = {
  posts: 'post',
  pages: 'page',
  media: 'attachment',
  categories: 'category',
  tags: 'post_tag',
  users: 'user',
  comments: 'comment',
  'menu-items': 'nav_menu_item',
  menus: 'nav_menu',
  blocks: 'wp_block',
}
const referenceTypes: Readonly<Record<string, string | undefined>> = {
  author: 'user',
  featured_media: 'attachment',
  categories: 'category',
  tags: 'post_tag',
  menus: 'nav_menu',
  parent: undefined,
  post: undefined,
}

export const wordpress = contentSource('wordpress', /\/wp-json\/|[?&]rest_route=/, {
  // A post in a field of a plugin is a `WP_Post`, with `ID`.
  idOf: ({ id, ID }) => id ?? ID,
  typeOf,
  hasIdsPerType: true,
  queryOf({ url, json }): ContentQuery {
    const { pathname, searchParams } = new URL(url)
    const [, route, id] = /\/wp\/v2\/([^/]+)(?:\/([^/]+))?/.exec(searchParams.get('rest_route') ?? pathname) ?? []
    if (route === undefined) return { isOpen: true, types: [], isList: true }
    const entries: readonly ContentFields[] = [json].flat().filter(isObject)
    const embedded = entries.flatMap(({ _embedded }) => Object.values(_embedded ?? {}).flat(2)).filter(isObject)
    const isOpen =
      searchParams.has('hide_empty') ||
      searchParams.get('orderby') === 'count' ||
      (route === 'users' && id === undefined) ||
      embedded.some((entry) => !isId(entry.id)) ||
      entries.some((entry) => typeof entry.count === 'number')
    const hasReplies = entries.some(({ _embedded }) => _embedded?.replies)
    const isHierarchical = route === 'pages' || entries.some((entry) => entry.parent !== undefined)
    return {
      found: json,
      types: route === 'search' ? searchTypes(searchParams) : routeTypes[route] ? [routeTypes[route]] : undefined,
      keys: isHierarchical ? [] : askedKeys(searchParams),
      names: [
        ...(hasReplies ? ['type:comment'] : []),
        ...[...searchParams].flatMap(([name, value]) => {
          return name in referenceTypes ? referenceNames(name, value.split(',').map(Number)) : []
        }),
        ...[...entries, ...embedded].flatMap(entryNames),
      ],
      isOpen,
      missing: entries.every(({ id: entryId }) => isId(entryId)) ? [] : ['id'],
    }
  },
  // A REST body, a `WP_Post`, a `WP_Term`, a `WP_User` or a `WP_Comment`.
  changeOf(fields) {
    const { id, ID, term_id, comment_ID, post_name, post_type } = fields
    const type = typeOf(fields) ?? post_type ?? (comment_ID ? 'comment' : fields.roles && 'user')
    // A revision is saved beside each save of its post.
    if (type === 'revision') return null
    return { ids: [id ?? ID ?? term_id ?? comment_ID], types: [type], names: keysOf({ slug: post_name, ...fields }) }
  },
})

function typeOf({ type, subtype, taxonomy, object_id, avatar_urls }: ContentFields): unknown {
  if (object_id !== undefined) return 'nav_menu_item'
  return taxonomy ?? subtype ?? type ?? (avatar_urls && 'user')
}

/** Returns the types of a search. Without `subtype`, it may find entries of all types. */
function searchTypes(params: URLSearchParams): unknown[] {
  const subtypes = params.get('subtype')?.split(',')
  return subtypes && !subtypes.includes('any') ? subtypes : [undefined]
}

/** Returns the tags of the entries to which an entry refers by numbers, also in fields of a plugin. */
function entryNames(entry: ContentFields): string[] {
  const { object, object_id, acf, meta } = entry
  const plugin = acf || meta ? objectsIn([acf, meta]).flatMap((fields) => Object.values(fields)) : []
  return [
    ...Object.keys(entry).flatMap((field) => referenceNames(field, entry[field])),
    ...(object_id ? [`${object}:${object_id}`] : []),
    ...plugin.filter(isNumber).map(String),
  ]
}

function referenceNames(field: string, value: unknown): string[] {
  if (typeof value !== 'number' && !Array.isArray(value)) return []
  const type = referenceTypes[field]
  if (!Array.isArray(value) && !(field in referenceTypes)) return []
  return [value]
    .flat()
    .filter(isNumber)
    .map((id) => (type ? `${type}:${id}` : String(id)))
}

const isNumber = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0
