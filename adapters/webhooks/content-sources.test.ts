import { describe, expect, it, vi } from 'vitest'
import { contentSource, contentSources } from './index.js'

type Source = keyof typeof contentSources
const tagsOfAnswer = (source: Source, url: string, json: unknown, headers = {}) =>
  contentSources[source].tagsOfAnswer({ url, headers: new Headers(headers), json })
const tagsOfPayload = (source: Source, payload: unknown) => contentSources[source].tagsOfPayload(payload)

const groq = (query: string) =>
  `https://abc.apicdn.sanity.io/v2025-02-19/data/query/production?query=${encodeURIComponent(query)}`
const contentful = 'https://cdn.contentful.com/spaces/cfexampleapi/environments/master'
const entry = (id: string, type = 'cat', fields = {}) => ({
  sys: { type: 'Entry', id, contentType: { sys: { type: 'Link', linkType: 'ContentType', id: type } } },
  fields,
})
const link = (linkType: string, id: string) => ({ sys: { type: 'Link', linkType, id } })
const prismic = (q: string) =>
  `https://example.cdn.prismic.io/api/v2/documents/search?ref=a&q=${encodeURIComponent(q)}&pageSize=1`
const document = (id: string, data = {}) => ({ id, uid: id, type: 'article', lang: 'en-us', data })
const story = (id: number, content = {}) => ({ id, uuid: `uuid-${id}`, full_slug: `news/${id}`, content })
const storyblok = 'https://api.storyblok.com/v2/cdn'
const wordpress = 'https://example.com/wp-json/wp/v2'
const directus = 'https://cms.example.com/items'
const strapi = 'https://cms.example.com/api'

// An answer has the tags of its entries, and of the types that it lists. The source's own tag stands for unknown types.
const answers: [Source, string, string, unknown, string[], Record<string, string>?][] = [
  // https://www.sanity.io/docs/http-reference/query
  [
    'sanity',
    'a list',
    groq('*[_type == "post"]{_id, title}'),
    { result: [{ _id: 'a' }] },
    ['sanity:a', 'sanity:type:post'],
  ],
  ['sanity', 'no result', groq('*[_type == "post"]'), { result: [] }, ['sanity:type:post']],
  ['sanity', 'two types', groq("*[_type in ['a', 'b']]"), { result: [] }, ['sanity:type:a', 'sanity:type:b']],
  [
    'sanity',
    'two lists',
    groq('{"a": *[_type == "a"], "b": count(* [_type=="b" && x > 1])}'),
    { result: { a: [], b: 1 } },
    ['sanity:type:a', 'sanity:type:b'],
  ],
  [
    'sanity',
    'one by its slug',
    groq('*[_type == "post" && slug.current == $slug][0]{_id}'),
    { result: { _id: 'a' } },
    ['sanity:a'],
  ],
  [
    'sanity',
    'none by its slug',
    groq('*[_type == "post" && slug.current == $slug][0]'),
    { result: null },
    ['sanity:type:post'],
  ],
  [
    'sanity',
    'one with a list',
    groq('*[_type == "post"][0]{_id, "more": *[_type == "news"]}'),
    { result: { _id: 'a', more: [] } },
    ['sanity:a', 'sanity:type:news'],
  ],
  [
    'sanity',
    'the newest',
    groq('*[_type == "post"] | order(date desc)[0]'),
    { result: { _id: 'a' } },
    ['sanity:a', 'sanity:type:post'],
  ],
  [
    'sanity',
    'a reference with its id',
    groq('*[_type == "post"][0]{_id, author->{_id, name}}'),
    { result: { _id: 'a', author: { _id: 'b' } } },
    ['sanity:a', 'sanity:b'],
  ],
  [
    'sanity',
    'a reference without its id',
    groq('*[_type == "post"][0]{_id, "author": author->name}'),
    { result: { _id: 'a' } },
    ['sanity:a', 'sanity'],
  ],
  [
    'sanity',
    'a reference that is not followed',
    groq('*[_type == "post"][0]'),
    { result: { _id: 'a', author: { _ref: 'b' }, image: { asset: { _ref: 'image-c-1x1-png' } } } },
    ['sanity:a', 'sanity:b'],
  ],
  [
    'sanity',
    'a weak reference to a draft, selected beside what it leads to',
    groq('*[_type == "post"][0]{_id, author, "by": author->{_id, name}}'),
    { result: { _id: 'a', author: { _ref: 'b', _weak: true }, by: null } },
    ['sanity:a', 'sanity:b'],
  ],
  [
    'sanity',
    'drafts and versions',
    groq('*[_type == "post"]'),
    { result: [{ _id: 'drafts.a' }, { _id: 'versions.r1.b' }] },
    ['sanity:a', 'sanity:b', 'sanity:type:post'],
  ],
  ['sanity', 'alternatives', groq('*[_type == "post" || featured]'), { result: [] }, ['sanity']],
  ['sanity', 'all but a type', groq('*[_type != "post"]'), { result: [] }, ['sanity']],
  ['sanity', 'no filter', groq('count(*)'), { result: 1 }, ['sanity']],
  ['sanity', 'a query in the body', groq('').replace(/\?.*/, ''), { result: [{ _id: 'a' }] }, ['sanity:a', 'sanity']],
  [
    'sanity',
    'sync tags',
    groq('*[_type == "post"]'),
    { result: [], syncTags: ['s1:Ab', 's1:Cd'] },
    ['sanity:s1:Ab', 'sanity:s1:Cd', 'sanity:type:post'],
  ],
  ['sanity', 'an error', groq('*['), { error: { type: 'queryParseError' } }, ['sanity']],

  // https://www.contentful.com/developers/docs/references/content-delivery-api/
  ['contentful', 'an entry', `${contentful}/entries/nyancat`, entry('nyancat'), ['contentful:nyancat']],
  [
    'contentful',
    'a list',
    `${contentful}/entries?content_type=cat`,
    { sys: { type: 'Array' }, total: 2, items: [entry('a'), entry('b')] },
    ['contentful:type:cat'],
  ],
  [
    'contentful',
    'an empty list',
    `${contentful}/entries?content_type=cat`,
    { sys: { type: 'Array' }, total: 0, items: [] },
    ['contentful:type:cat'],
  ],
  [
    'contentful',
    'a list of any type',
    `${contentful}/entries?limit=9`,
    { sys: { type: 'Array' }, items: [entry('a')] },
    ['contentful:a', 'contentful'],
  ],
  [
    'contentful',
    'one by its slug',
    `${contentful}/entries?content_type=cat&fields.slug=a`,
    { sys: { type: 'Array' }, items: [entry('a')] },
    ['contentful:a', 'contentful:slug=a'],
  ],
  [
    'contentful',
    'two slugs, one of which is found',
    `${contentful}/entries?content_type=cat&fields.slug[in]=a,b`,
    { sys: { type: 'Array' }, items: [entry('a')] },
    ['contentful:type:cat'],
  ],
  [
    'contentful',
    'one by its slug, without its id',
    `${contentful}/entries?content_type=cat&fields.slug=a&select=fields.title`,
    { sys: { type: 'Array' }, items: [{ fields: { title: 'A' } }] },
    ['contentful:type:cat'],
  ],
  [
    'contentful',
    'a list by the type of a link',
    `${contentful}/entries?content_type=cat&fields.owner.sys.contentType.sys.id=person&fields.owner.fields.slug=a`,
    { sys: { type: 'Array' }, items: [entry('a')] },
    ['contentful:type:cat', 'contentful:type:person'],
  ],
  [
    'contentful',
    'a list by the id of a link',
    `${contentful}/entries?content_type=cat&fields.owner.sys.id=b`,
    { sys: { type: 'Array' }, items: [entry('a')] },
    ['contentful:type:cat'],
  ],
  [
    'contentful',
    'a list by the slug of another',
    `${contentful}/entries?content_type=cat&fields.owner.fields.slug=a`,
    { sys: { type: 'Array' }, items: [entry('a')] },
    ['contentful:type:cat', 'contentful'],
  ],
  [
    'contentful',
    'the only one',
    `${contentful}/entries?content_type=cat&limit=1`,
    { sys: { type: 'Array' }, total: 1, items: [entry('a')] },
    ['contentful:type:cat'],
  ],
  [
    'contentful',
    'the first of two',
    `${contentful}/entries?content_type=cat&limit=1`,
    { sys: { type: 'Array' }, total: 2, items: [entry('a')] },
    ['contentful:type:cat'],
  ],
  [
    'contentful',
    'the newest',
    `${contentful}/entries?content_type=cat&limit=1&order=-sys.createdAt`,
    { sys: { type: 'Array' }, total: 1, items: [entry('a')] },
    ['contentful:type:cat'],
  ],
  [
    'contentful',
    'includes, assets and a link to a draft',
    `${contentful}/entries?content_type=cat&fields.slug=a`,
    {
      sys: { type: 'Array' },
      items: [entry('a', 'cat', { friend: link('Entry', 'b'), image: link('Asset', 'c') })],
      includes: { Asset: [{ sys: { type: 'Asset', id: 'c', space: link('Space', 'x') } }] },
    },
    ['contentful:a', 'contentful:b', 'contentful:c', 'contentful:slug=a'],
  ],
  [
    'contentful',
    'all languages',
    `${contentful}/entries/a?locale=*`,
    entry('a', 'cat', { friend: { en: link('Entry', 'b'), de: link('Entry', 'c') } }),
    ['contentful:a', 'contentful:b', 'contentful:c'],
  ],
  [
    'contentful',
    'assets',
    `${contentful}/assets`,
    { sys: { type: 'Array' }, items: [{ sys: { type: 'Asset', id: 'c' } }] },
    ['contentful:type:Asset'],
  ],
  ['contentful', 'no entry', `${contentful}/entries/a`, { sys: { type: 'Error', id: 'NotFound' } }, ['contentful']],
  [
    'contentful',
    'a space with a hyphen, behind a proxy',
    'https://cms.example.com/spaces/my-space.1/environments/master/entries?content_type=blog-post',
    { sys: { type: 'Array' }, items: [] },
    ['contentful:type:blog-post'],
  ],
  [
    'contentful',
    'GraphQL',
    'https://graphql.contentful.com/content/v1/spaces/a',
    { data: { catCollection: { items: [{ name: 'a' }] } } },
    ['contentful'],
  ],

  // https://www.storyblok.com/docs/api/content-delivery/v2
  [
    'storyblok',
    'a story',
    `${storyblok}/stories/news/1?cv=1`,
    { story: story(1), rels: [story(2)], links: [] },
    ['storyblok:1', 'storyblok:2'],
  ],
  [
    'storyblok',
    'stories inside a story',
    `${storyblok}/stories/home`,
    { story: story(1, { body: [{ _uid: 'x', component: 'teaser', story: story(2) }] }) },
    ['storyblok:1', 'storyblok:2'],
  ],
  [
    'storyblok',
    'a list',
    `${storyblok}/stories?starts_with=news/`,
    { stories: [story(1)] },
    ['storyblok:1', 'storyblok'],
  ],
  ['storyblok', 'no story', `${storyblok}/stories/news/3`, ['This record could not be found'], ['storyblok']],
  [
    'storyblok',
    'a datasource',
    `${storyblok}/datasource_entries?datasource=colors`,
    { datasource_entries: [{ id: 1, name: 'red' }] },
    ['storyblok'],
  ],
  [
    'storyblok',
    'the version of the space',
    `${storyblok}/spaces/me`,
    { space: { id: 1, version: 2 } },
    ['storyblok:type:space'],
  ],

  // https://prismic.io/docs/rest-api-technical-reference
  [
    'prismic',
    'one by its uid',
    prismic('[[at(my.article.uid,"a")]]'),
    { results: [document('a')], total_results_size: 1 },
    ['prismic:a'],
  ],
  [
    'prismic',
    'one by its uid, with a space',
    prismic('[[at(my.article.uid, "a")]]'),
    { results: [document('a')] },
    ['prismic:a'],
  ],
  [
    'prismic',
    'a singleton',
    prismic('[[at(document.type,"home")]]'),
    { results: [document('a')], total_results_size: 1 },
    ['prismic:a'],
  ],
  [
    'prismic',
    'a list',
    prismic('[[at(document.type,"article")]]'),
    { results: [document('a')], total_results_size: 2 },
    ['prismic:a', 'prismic'],
  ],
  [
    'prismic',
    'a document in a slice',
    prismic('[[at(document.id,"a")]]'),
    {
      results: [
        document('a', {
          slices: [
            {
              id: 'text$1',
              slice_type: 'text',
              primary: { link: { link_type: 'Document', id: 'b', type: 'article' } },
            },
          ],
        }),
      ],
    },
    ['prismic:a', 'prismic:b'],
  ],
  [
    'prismic',
    'the current ref',
    'https://example.cdn.prismic.io/api/v2',
    { refs: [{ id: 'master', ref: 'a' }], types: {} },
    ['prismic:type:ref'],
  ],

  // https://www.datocms.com/docs/content-delivery-api/cache-tags-format
  [
    'datocms',
    'cache tags',
    'https://graphql.datocms.com/',
    { data: {} },
    ['datocms:N*r;L', 'datocms:t#k[uP'],
    { 'X-Cache-Tags': 'N*r;L t#k[uP' },
  ],
  ['datocms', 'no cache tags', 'https://graphql.datocms.com/', { data: {} }, ['datocms']],

  // https://developer.wordpress.org/rest-api/reference/posts/
  [
    'wordpress',
    'a post',
    `${wordpress}/posts/1?_embed`,
    {
      id: 1,
      type: 'post',
      _embedded: { author: [{ id: 7, name: 'Jane' }], 'wp:featuredmedia': [{ id: 9, type: 'attachment' }] },
    },
    ['wordpress:post:1', 'wordpress:7', 'wordpress:attachment:9', 'wordpress:replies=1'],
  ],
  [
    'wordpress',
    'posts without ids, to any of which a reply may be added',
    `${wordpress}/posts?_embed&_fields=title,_links,_embedded`,
    [{ title: 'A', _links: { 'predecessor-version': [{ id: 8, href: '/revisions/8' }] }, _embedded: {} }],
    ['wordpress:type:post', 'wordpress:type:post:text', 'wordpress:type:comment'],
  ],
  [
    'wordpress',
    'comments, which are hidden together with their post',
    `${wordpress}/comments`,
    [{ id: 3, type: 'comment', post: 8 }],
    [
      'wordpress:comment:3',
      'wordpress:reference=8',
      'wordpress:type:comment',
      'wordpress:type:comment:text',
      'wordpress',
    ],
  ],
  [
    'wordpress',
    'the comments of a post',
    `${wordpress}/comments?post=8`,
    [{ id: 3, type: 'comment', post: 8 }],
    ['wordpress:comment:3', 'wordpress:reference=8', 'wordpress:type:comment', 'wordpress:type:comment:text'],
  ],
  [
    'wordpress',
    'a user, who is hidden without a post',
    `${wordpress}/users/7`,
    { id: 7, name: 'Jane' },
    ['wordpress:user:7', 'wordpress'],
  ],
  [
    'wordpress',
    'a list',
    `${wordpress}/posts`,
    [
      { id: 1, type: 'post' },
      { id: 2, type: 'post' },
    ],
    ['wordpress:post:1', 'wordpress:post:2', 'wordpress:type:post'],
  ],
  [
    'wordpress',
    'one by its slug',
    `${wordpress}/posts?slug=a`,
    [{ id: 1, type: 'post' }],
    ['wordpress:post:1', 'wordpress:slug=a'],
  ],
  [
    'wordpress',
    'an empty list',
    `${wordpress}/posts?categories=3`,
    [],
    ['wordpress:reference=category:3', 'wordpress:type:post'],
  ],
  [
    'wordpress',
    'categories',
    `${wordpress}/categories`,
    [{ id: 3, taxonomy: 'category' }],
    ['wordpress:category:3', 'wordpress:type:category', 'wordpress:type:category:text'],
  ],
  [
    'wordpress',
    'a post with relations as numbers, and fields of a plugin',
    `${wordpress}/posts/18`,
    { id: 18, type: 'post', author: 6, featured_media: 0, categories: [12], genre: [5], acf: { next: 19, all: [20] } },
    ['wordpress:post:18', 'wordpress:user:6', 'wordpress:category:12', 'wordpress:5', 'wordpress:19', 'wordpress:20'],
  ],
  [
    'wordpress',
    'pages by a slug, which another page under another parent may have',
    `${wordpress}/pages?slug=team`,
    [{ id: 4, type: 'page', parent: 2 }],
    ['wordpress:page:4', 'wordpress:reference=2', 'wordpress:type:page'],
  ],
  [
    'wordpress',
    'categories that have posts',
    `${wordpress}/categories?hide_empty=true`,
    [{ id: 3, taxonomy: 'category' }],
    ['wordpress:category:3', 'wordpress:type:category', 'wordpress:type:category:text', 'wordpress'],
  ],
  [
    'wordpress',
    'a search of two types',
    `${wordpress}/search?search=a&subtype=post,page`,
    [],
    ['wordpress:type:post', 'wordpress:type:page', 'wordpress:type:post:text', 'wordpress:type:page:text'],
  ],
  [
    'wordpress',
    'authors, who are listed once they have a post',
    `${wordpress}/users`,
    [{ id: 7, name: 'Jane' }],
    ['wordpress:user:7', 'wordpress:type:user', 'wordpress:type:user:text', 'wordpress'],
  ],
  [
    'wordpress',
    'a search',
    `${wordpress}/search?search=a`,
    [{ id: 1, type: 'post', subtype: 'page' }],
    ['wordpress:page:1', 'wordpress'],
  ],

  [
    'wordpress',
    'a list in the order of titles',
    `${wordpress}/posts?orderby=title&_fields=id,title`,
    [{ id: 1, title: { rendered: 'A' } }],
    ['wordpress:post:1', 'wordpress:type:post', 'wordpress:type:post:text'],
  ],
  [
    'wordpress',
    'a list by a parameter of a plugin',
    `${wordpress}/posts?has_picture=1`,
    [{ id: 1, type: 'post' }],
    ['wordpress:post:1', 'wordpress:type:post', 'wordpress:type:post:text'],
  ],
  [
    'wordpress',
    'a post that shows its author only by number',
    `${wordpress}/posts/1`,
    { id: 1, type: 'post', author: 7 },
    ['wordpress:post:1', 'wordpress:reference=user:7'],
  ],
  [
    'wordpress',
    'a post with a field of a plugin, which may show the name of its author',
    `${wordpress}/posts/1`,
    { id: 1, type: 'post', author: 7, yoast_head_json: { author: 'Jane' } },
    ['wordpress:post:1', 'wordpress:user:7'],
  ],
  // https://directus.io/docs/api/items
  [
    'directus',
    'an item',
    `${directus}/articles/5?fields=*,author.*`,
    { data: { id: 5, author: { id: 'b7' } } },
    ['directus:articles:5', 'directus:b7'],
  ],
  ['directus', 'a list', `${directus}/articles`, { data: [{ id: 5 }] }, ['directus:type:articles']],
  [
    'directus',
    'an item with keys, a JSON field and an empty relation of one field',
    `${directus}/articles/5?fields=id,author,links,cover,note`,
    { data: { id: 5, author: 50, links: [{ label: 'a' }], cover: null, note: 'a' } },
    ['directus:articles:5', 'directus:deleted=50'],
  ],
  [
    'directus',
    'an item whose key has another name',
    `${directus}/regions/pt`,
    { data: { code: 'pt', name: 'Portugal' } },
    ['directus:regions:pt'],
  ],
  [
    'directus',
    'a list with more numbers than the answer gets tags',
    `${directus}/articles?fields=id,views`,
    { data: Array.from({ length: 31 }, (_, index) => ({ id: 1, views: index + 1 })) },
    ['directus:type:articles', 'directus:deleted'],
  ],
  [
    'directus',
    'an item with a relation that is empty, or hidden from the reader',
    `${directus}/articles/5?fields=id,author.id,author.name`,
    { data: { id: 5, author: null } },
    ['directus:articles:5', 'directus'],
  ],
  [
    'directus',
    'a list in the order of a field of another collection',
    `${directus}/articles?fields=id&sort=author.name`,
    { data: [] },
    ['directus:type:articles', 'directus'],
  ],
  [
    'directus',
    'a list by the key of another, which the database removes when that is deleted',
    `${directus}/articles?fields=id&filter[author][_eq]=50`,
    { data: [] },
    ['directus:type:articles', 'directus:deleted=50'],
  ],
  [
    'directus',
    'a hidden item',
    `${directus}/articles/5?fields=id`,
    { errors: [{ message: 'You don’t have permission to access this.', extensions: { code: 'FORBIDDEN' } }] },
    ['directus:articles:5'],
  ],
  [
    'directus',
    'an item while Directus is too busy',
    `${directus}/articles/5?fields=id`,
    { errors: [{ message: 'Under pressure', extensions: { code: 'SERVICE_UNAVAILABLE' } }] },
    ['directus:articles:5', 'directus'],
  ],
  [
    'directus',
    'a filter as JSON',
    `${directus}/articles?fields=id&filter={"author":{"name":{"_eq":"a"}}}`,
    { data: [] },
    ['directus:type:articles', 'directus'],
  ],
  [
    'directus',
    'one by its slug, with a filter as JSON',
    `${directus}/articles?fields=id&filter={"slug":{"_eq":"a"}}`,
    { data: [{ id: 5 }] },
    ['directus:articles:5', 'directus:slug=a'],
  ],
  ['directus', 'an empty list', `${directus}/articles?limit=5`, { data: [] }, ['directus:type:articles']],
  [
    'directus',
    'one by its slug',
    `${directus}/articles?filter[slug][_eq]=a`,
    { data: [{ id: 5 }] },
    ['directus:articles:5', 'directus:slug=a'],
  ],
  ['directus', 'a name with a hyphen', `${directus}/blog-posts`, { data: [] }, ['directus:type:blog-posts']],
  [
    'directus',
    'a name with a hyphen and digits',
    `${directus}/news-2026?limit=5`,
    { data: [] },
    ['directus:type:news-2026'],
  ],
  ['directus', 'a name with an umlaut', `${directus}/größen`, { data: [] }, ['directus:type:größen']],
  [
    'directus',
    'an encoded name',
    `${directus}/gr%C3%B6%C3%9Fen%20%26%20mehr`,
    { data: [] },
    ['directus:type:größen & mehr'],
  ],
  [
    'directus',
    'comments of an article, of which there may be more',
    `${directus}/articles/5?fields=*,comments.*`,
    { data: { id: 5, comments: [] } },
    ['directus:articles:5', 'directus'],
  ],

  // https://docs.strapi.io/cms/api/rest
  [
    'strapi',
    'a document',
    `${strapi}/articles/abc?populate=*`,
    { data: { id: 1, documentId: 'abc', cover: { id: 2, documentId: 'def' } }, meta: {} },
    ['strapi:abc', 'strapi:def'],
  ],
  ['strapi', 'version 4', `${strapi}/articles/1`, { data: { id: 1, attributes: { title: 'a' } } }, ['strapi:1']],
  [
    'strapi',
    'one by its slug',
    `${strapi}/articles?filters[slug][$eq]=a`,
    { data: [{ id: 1, documentId: 'abc' }] },
    ['strapi:abc', 'strapi:slug=a'],
  ],
  [
    'strapi',
    'a list',
    `${strapi}/articles`,
    { data: [{ id: 1, documentId: 'abc' }] },
    ['strapi:abc', 'strapi:type:articles', 'strapi:type:list'],
  ],
  [
    'strapi',
    'a list by the slug of another',
    `${strapi}/articles?filters[author][slug][$eq]=a`,
    { data: [{ id: 1, documentId: 'abc' }] },
    ['strapi:abc', 'strapi:type:articles', 'strapi:type:list', 'strapi'],
  ],
  [
    'strapi',
    'a relation by the name of another',
    `${strapi}/reviewers/b?populate[articles][filters][tags][name][$eq]=a`,
    { data: { documentId: 'b', articles: [] } },
    ['strapi:b', 'strapi'],
  ],
  [
    'strapi',
    'a list by the id of another',
    `${strapi}/articles?filters[author][documentId][$eq]=B`,
    { data: [{ id: 1, documentId: 'abc' }] },
    ['strapi:abc', 'strapi:B', 'strapi:type:articles', 'strapi:type:list'],
  ],
  [
    'strapi',
    'a relation that is asked for and empty, or of a draft',
    `${strapi}/articles/abc?populate[author][fields]=name`,
    { data: { documentId: 'abc', author: null } },
    ['strapi:abc', 'strapi'],
  ],
  [
    'strapi',
    'a relation',
    `${strapi}/articles/abc?populate=*`,
    { data: { documentId: 'abc', comments: [{ documentId: 'x' }] } },
    ['strapi:abc', 'strapi:x'],
  ],
]
it.each(answers)('the tags of an answer of %s: %s', (source, _, url, json, tags, headers) => {
  expect(tagsOfAnswer(source, url, json, headers).toSorted()).toEqual(tags.toSorted())
})

it.each(Object.keys(contentSources) as Source[])(
  '%s tags an answer without ids with its own name, and does not tag an answer of another CMS',
  (source) => {
    const [, , url = ''] = answers.find(([name]) => name === source) ?? []
    for (const json of [undefined, null, {}, 'text', 7])
      expect(tagsOfAnswer(source, url, json).at(-1)).toContain(source)
    expect(tagsOfAnswer(source, 'https://weather.example.com/today', { id: 1, sys: { id: 1 } })).toEqual([])
  },
)

// A webhook purges the same tags: its entries, the lists of their types, and answers whose types are not known.
const payloads: [Source, string, unknown, string[] | undefined][] = [
  // https://www.sanity.io/docs/webhooks: the projection {_id, _type}
  ['sanity', 'a document', { _id: 'a', _type: 'post' }, ['sanity:a', 'sanity:type:post', 'sanity']],
  ['sanity', 'a draft', { _id: 'drafts.a', _type: 'post' }, ['sanity:a', 'sanity:type:post', 'sanity']],
  ['sanity', 'a version', { _id: 'versions.r1.a', _type: 'post' }, ['sanity:a', 'sanity:type:post', 'sanity']],
  ['sanity', 'a projection without a type', { _id: 'a' }, undefined],
  // https://www.sanity.io/docs/functions/sync-tag-function-quickstart: event.data
  ['sanity', 'sync tags', { syncTags: ['s1:Ab'] }, ['sanity:s1:Ab', 'sanity']],
  // https://www.sanity.io/docs/webhooks_LEGACY
  ['sanity', 'a transaction', { transactionId: 'x', ids: { updated: ['a'] } }, undefined],

  // https://www.contentful.com/developers/docs/webhooks/
  [
    'contentful',
    'an entry',
    entry('5KsDBWseXY6QegucYAoacS', 'post'),
    ['contentful:5KsDBWseXY6QegucYAoacS', 'contentful:type:post', 'contentful'],
  ],
  [
    'contentful',
    'a deleted or unpublished entry',
    { sys: { type: 'DeletedEntry', id: 'a', contentType: link('ContentType', 'post') } },
    ['contentful:a', 'contentful:type:post', 'contentful'],
  ],
  ['contentful', 'a deleted entry without a type', { sys: { type: 'DeletedEntry', id: 'a' } }, undefined],
  [
    'contentful',
    'an asset',
    { sys: { type: 'Asset', id: 'c' } },
    ['contentful:c', 'contentful:type:Asset', 'contentful'],
  ],
  [
    'contentful',
    'a deleted asset',
    { sys: { type: 'DeletedAsset', id: 'c' } },
    ['contentful:c', 'contentful:type:Asset', 'contentful'],
  ],
  ['contentful', 'a content type', { sys: { type: 'ContentType', id: 'post' } }, undefined],

  // https://www.storyblok.com/docs/concepts/webhooks
  [
    'storyblok',
    'a story',
    {
      text: 'The user test@domain.com published the Story Home',
      action: 'published',
      space_id: 1,
      story_id: 107350372,
      full_slug: 'home',
    },
    ['storyblok:107350372', 'storyblok'],
  ],
  ['storyblok', 'a deleted story', { action: 'deleted', space_id: 1, story_id: 1 }, ['storyblok:1', 'storyblok']],
  ['storyblok', 'a moved folder, with all stories in it', { action: 'moved', space_id: 1, story_id: 1 }, undefined],
  ['storyblok', 'a datasource', { action: 'entries_updated', space_id: 1, datasource_slug: 'colors' }, ['storyblok']],
  ['storyblok', 'a user', { action: 'added', space_id: 1, user_id: 1 }, undefined],

  // https://prismic.io/docs/webhooks, @prismicio/client/src/types/webhook
  [
    'prismic',
    'documents',
    {
      type: 'api-update',
      masterRef: 'x',
      releases: {},
      masks: {},
      tags: {},
      documents: ['XyZ', 'AbC'],
      domain: 'example',
      apiUrl: 'https://example.prismic.io/api',
      secret: null,
    },
    ['prismic:XyZ', 'prismic:AbC', 'prismic'],
  ],
  ['prismic', 'a change of the ref', { type: 'api-update', masterRef: 'x', documents: [] }, ['prismic']],
  ['prismic', 'a test', { type: 'test-trigger', domain: 'example' }, undefined],

  // https://www.datocms.com/docs/content-delivery-api/cache-tags-invalidation
  [
    'datocms',
    'cache tags',
    {
      entity_type: 'cda_cache_tags',
      event_type: 'invalidate',
      entity: { id: 'cda_cache_tags', type: 'cda_cache_tags', attributes: { tags: ['N*r;L', '6-KZ@'] } },
      related_entities: [],
    },
    ['datocms:N*r;L', 'datocms:6-KZ@', 'datocms'],
  ],
  [
    'datocms',
    'a record',
    { entity_type: 'item', event_type: 'publish', entity: { id: '1', attributes: { tags: ['a'] } } },
    undefined,
  ],

  [
    'wordpress',
    'a post',
    { id: 1, type: 'post' },
    [
      'wordpress:1',
      'wordpress:post:1',
      'wordpress:reference=1',
      'wordpress:reference=post:1',
      'wordpress:type:post',
      'wordpress',
    ],
  ],
  [
    'wordpress',
    'a category',
    { id: 3, taxonomy: 'category' },
    [
      'wordpress:3',
      'wordpress:category:3',
      'wordpress:reference=3',
      'wordpress:reference=category:3',
      'wordpress:type:category',
      'wordpress',
    ],
  ],
  ['wordpress', 'a revision, which no page shows', { id: 8, type: 'revision' }, []],
  ['wordpress', 'a revision as a WP_Post', { ID: 8, post_type: 'revision', post_parent: 1 }, []],
  [
    'wordpress',
    'a WP_Post',
    { ID: 1, post_type: 'post', post_name: 'a', post_title: 'A' },
    [
      'wordpress:1',
      'wordpress:post:1',
      'wordpress:reference=1',
      'wordpress:reference=post:1',
      'wordpress:slug=a',
      'wordpress:type:post',
      'wordpress',
    ],
  ],
  [
    'wordpress',
    'a WP_Term',
    { term_id: 3, name: 'News', slug: 'news', taxonomy: 'category' },
    [
      'wordpress:3',
      'wordpress:category:3',
      'wordpress:reference=3',
      'wordpress:reference=category:3',
      'wordpress:slug=news',
      'wordpress:type:category',
      'wordpress',
    ],
  ],
  [
    'wordpress',
    'a WP_User',
    { ID: 7, data: { ID: '7', display_name: 'Jane' }, roles: ['editor'] },
    [
      'wordpress:7',
      'wordpress:user:7',
      'wordpress:reference=7',
      'wordpress:reference=user:7',
      'wordpress:type:user',
      'wordpress',
    ],
  ],
  [
    'wordpress',
    'a WP_Comment',
    { comment_ID: '5', comment_post_ID: '13' },
    [
      'wordpress:5',
      'wordpress:comment:5',
      'wordpress:reference=5',
      'wordpress:reference=comment:5',
      'wordpress:replies=13',
      'wordpress:type:comment',
      'wordpress',
    ],
  ],
  [
    'wordpress',
    'the body of a post in the REST API',
    { id: 1, type: 'post', slug: 'a', title: { rendered: 'A' }, author: 7, categories: [3] },
    [
      'wordpress:1',
      'wordpress:post:1',
      'wordpress:reference=1',
      'wordpress:reference=post:1',
      'wordpress:slug=a',
      'wordpress:type:post',
      'wordpress',
    ],
  ],
  [
    'wordpress',
    'a post of which only texts changed',
    { id: 1, type: 'post', slug: 'a', change: 'text' },
    ['wordpress:1', 'wordpress:post:1', 'wordpress:type:post:text', 'wordpress'],
  ],
  ['wordpress', 'another payload', { post_title: 'a' }, undefined],

  // https://directus.io/docs/guides/automate/triggers: {{$trigger}}
  [
    'directus',
    'a new item',
    { event: 'articles.items.create', payload: { title: 'a' }, key: 5, collection: 'articles' },
    ['directus:5', 'directus:articles:5', 'directus:type:articles', 'directus'],
  ],
  [
    'directus',
    'several items',
    { event: 'articles.items.update', payload: {}, keys: ['5', '6'], collection: 'articles' },
    ['directus:5', 'directus:articles:5', 'directus:6', 'directus:articles:6', 'directus:type:articles', 'directus'],
  ],
  [
    'directus',
    'a deleted item, of which the database also removes references',
    { event: 'authors.items.delete', payload: ['5'], keys: ['5'], collection: 'authors' },
    ['directus:5', 'directus:authors:5', 'directus:deleted=5', 'directus:deleted', 'directus:type:authors', 'directus'],
  ],
  [
    'directus',
    'a slug that an item takes',
    { event: 'articles.items.update', payload: { slug: 'a' }, keys: ['5'], collection: 'articles' },
    ['directus:5', 'directus:articles:5', 'directus:slug=a', 'directus:type:articles', 'directus'],
  ],
  [
    'directus',
    'items in another order',
    { event: 'articles.items.sort', collection: 'articles', item: 3, to: 5 },
    ['directus:3', 'directus:articles:3', 'directus:5', 'directus:articles:5', 'directus:type:articles', 'directus'],
  ],
  [
    'directus',
    'a file',
    { event: 'files.upload', payload: { title: 'a' }, key: 'f1', collection: 'directus_files' },
    ['directus:f1', 'directus:directus_files:f1', 'directus:type:directus_files', 'directus'],
  ],
  [
    'directus',
    'a new item, before it has a key, from a flow of the type "Filter"',
    { event: 'articles.items.create', payload: { title: 'a' }, collection: 'articles' },
    ['directus:type:articles', 'directus'],
  ],
  [
    'directus',
    'a deleted item, from a flow of the type "Filter"',
    { event: 'tags.items.delete', payload: [4], collection: 'tags' },
    ['directus:4', 'directus:tags:4', 'directus:deleted=4', 'directus:deleted', 'directus:type:tags', 'directus'],
  ],
  ['directus', 'a login', { event: 'auth.login', payload: {} }, undefined],
  ['directus', 'keys of another form', { keys: 'all', collection: 'articles' }, undefined],

  // https://docs.strapi.io/cms/backend-customization/webhooks
  [
    'strapi',
    'an entry',
    {
      event: 'entry.publish',
      createdAt: '2020-01-10T08:58:26.563Z',
      model: 'address',
      uid: 'api::address.address',
      entry: { id: 1, documentId: 'abc' },
    },
    ['strapi:abc', 'strapi:type:list', 'strapi'],
  ],
  [
    'strapi',
    'an entry with relations, at any depth',
    {
      event: 'entry.update',
      model: 'author',
      uid: 'api::author.author',
      entry: {
        id: 3,
        documentId: 'C',
        articles: [{ id: 1, documentId: 'A', cover: { id: 7, documentId: 'F' } }],
        blocks: [{ __component: 'shared.teaser', id: 5, article: { id: 2, documentId: 'B' }, note: { documentId: 8 } }],
        review: null,
      },
    },
    ['strapi:C', 'strapi:A', 'strapi:F', 'strapi:B', 'strapi:8', 'strapi:type:list', 'strapi'],
  ],
  [
    'strapi',
    'an entry with an empty id',
    { entry: { documentId: 'C', articles: [{ documentId: '' }] } },
    ['strapi:C', 'strapi:type:list', 'strapi'],
  ],
  [
    'strapi',
    'an entry with more relations than a purge takes',
    { entry: { documentId: 'C', articles: Array.from({ length: 1000 }, (_, id) => ({ documentId: `${id}` })) } },
    undefined,
  ],
  [
    'strapi',
    'an entry of version 4',
    { event: 'entry.delete', model: 'address', entry: { id: 1 } },
    ['strapi:1', 'strapi:type:list', 'strapi'],
  ],
  [
    'strapi',
    'a file',
    { event: 'media.update', media: { id: 1, documentId: 'def' } },
    ['strapi:def', 'strapi:type:upload', 'strapi'],
  ],
  ['strapi', 'a test', { event: 'trigger-test' }, undefined],
]
it.each(payloads)('the tags of a webhook of %s: %s', (source, _, payload, tags) => {
  expect(tagsOfPayload(source, payload)).toEqual(tags)
})

// Shortened answers and payloads of a real Directus 11.3.5 and Strapi 5.54. The payload changes what the page shows.
const changes: [Source, string, string, unknown, unknown][] = [
  [
    'directus',
    'a new item of a collection with a hyphen',
    `${directus}/blog-posts`,
    { data: [{ id: 1 }] },
    { event: 'blog-posts.items.create', key: 2, collection: 'blog-posts', payload: {} },
  ],
  [
    'directus',
    'a new item of a collection with a hyphen, sorted',
    `${directus}/side-dishes?sort=-date`,
    { data: [{ id: 2, title: 'Rice' }] },
    { event: 'side-dishes.items.create', payload: {}, key: 3, collection: 'side-dishes' },
  ],
  [
    'directus',
    'a new item of a collection with an umlaut, as fetch encodes it',
    new URL(`${directus}/größen`).href,
    { data: [] },
    { event: 'größen.items.create', payload: {}, key: 3, collection: 'größen' },
  ],
  [
    'strapi',
    'an author who takes an article by the inverse field',
    `${strapi}/articles/A?populate=author`,
    { data: { id: 1, documentId: 'A', author: { id: 2, documentId: 'B' } } },
    {
      event: 'entry.update',
      model: 'author',
      uid: 'api::author.author',
      entry: { id: 3, documentId: 'C', articles: [{ id: 1, documentId: 'A' }] },
    },
  ],
  [
    'strapi',
    'the empty side of a relation of one to one',
    `${strapi}/articles/A?populate=review`,
    { data: { id: 1, documentId: 'A', review: null } },
    { event: 'entry.publish', model: 'review', entry: { id: 4, documentId: 'R', article: { id: 1, documentId: 'A' } } },
  ],
  [
    'strapi',
    'the number of an author’s articles',
    `${strapi}/authors/B?populate[articles][count]=true`,
    { data: { id: 2, documentId: 'B', articles: { count: 2 } } },
    { event: 'entry.create', model: 'article', entry: { id: 9, documentId: 'N', author: { id: 2, documentId: 'B' } } },
  ],
]
it.each(changes)('a webhook of %s purges a page that shows %s', (source, _, url, json, payload) => {
  const purged = tagsOfPayload(source, payload) ?? []
  expect(tagsOfAnswer(source, url, json).filter((tag) => purged.includes(tag))).not.toEqual([])
})

it.each(Object.keys(contentSources) as Source[])('%s returns no tags for an unknown payload', (source) => {
  for (const payload of [undefined, null, {}, [], 'text', 7, { sys: null, entity: null, documents: null, keys: {} }]) {
    expect(tagsOfPayload(source, payload)).toBeUndefined()
  }
})

describe('contentSource, by a rule of the site', () => {
  const shop = contentSource('shop', /\/shop\//, { idOf: ({ sku }) => sku, typeOf: ({ kind }) => kind })
  const url = 'https://www.example.com/shop/api'
  const tagsOf = (json: unknown) => shop.tagsOfAnswer({ url, headers: new Headers(), json })

  it.each([
    ['an entry', { sku: 'a', kind: 'shoe' }, ['shop:a']],
    ['a list', [{ sku: 'a', kind: 'shoe' }], ['shop:a', 'shop:type:shoe']],
    ['a list in an object', { items: [{ sku: 'a', kind: 'shoe' }], page: 1 }, ['shop:a', 'shop:type:shoe']],
    ['an entry without a type', [{ sku: 'a', kind: 'shoe' }, { sku: 'b' }], ['shop:a', 'shop:b', 'shop']],
    ['something else', { shoes: [{ sku: 'a' }] }, ['shop:a', 'shop']],
    ['an id with a space, a comma and an umlaut', { sku: 'Größe 42, rot' }, ['shop:Größe 42, rot']],
    ['an empty id', { sku: ' ' }, ['shop']],
  ])('the tags of an answer by a rule of the site: %s', (_, json, tags) => expect(tagsOf(json)).toEqual(tags))

  it('a rule of the site gives an entry the same tag in a payload as in an answer', () => {
    const sku = 'Größe 42, rot'
    expect(shop.tagsOfPayload({ sku, kind: 'shoe' })).toEqual([`shop:${sku}`, 'shop:type:shoe', 'shop'])
  })

  it('a rule of the site finds entries at any depth, in cycles, and among 100,000', () => {
    let deep: object = { sku: 'deepest' }
    for (let depth = 0; depth < 50_000; depth++) deep = [deep]
    expect(tagsOf({ sku: 'a', deep })).toEqual(['shop:a', 'shop:deepest'])
    const cycle: Record<string, unknown> = { sku: 'a' }
    cycle.self = { sku: 'b', cycle }
    expect(tagsOf(cycle)).toEqual(['shop:a', 'shop:b'])
    expect(tagsOf(Array.from({ length: 100_000 }, (_, sku) => ({ sku, kind: 'shoe' })))).toHaveLength(100_001)
  })

  it('contentSource names the malformed option', () => {
    const idOf = () => 1
    expect(() => contentSource(1 as never, /a/, { idOf })).toThrow('name: expected a string, got 1')
    expect(() => contentSource('shop', '/shop/' as never, { idOf })).toThrow(
      'url: expected a regular expression, such as',
    )
    expect(() => contentSource('shop', /a/, {} as never)).toThrow(/^idOf: expected a function, got undefined; write/)
  })

  it('a global or sticky regular expression matches every answer', () => {
    const source = contentSource('shop', /\/shop\//gy, { idOf: ({ sku }) => sku })
    const answers = [1, 2].map((sku) => source.tagsOfAnswer({ url: '/shop/', headers: new Headers(), json: { sku } }))
    expect(answers).toEqual([['shop:1'], ['shop:2']])
  })
})

it('a payload of Strapi purges the lists of its type, if its plural has answered, and else the lists of all types', () => {
  tagsOfAnswer('strapi', `${strapi}/stories`, { data: [] })
  const tags = (model: string) => tagsOfPayload('strapi', { event: 'entry.publish', model, entry: { documentId: 'a' } })
  expect(tags('story')).toEqual(['strapi:a', 'strapi:type:stories', 'strapi'])
  expect(tags('person')).toEqual(['strapi:a', 'strapi:type:list', 'strapi'])
})

it('in development, the id that an answer lacks is named once', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const read = () =>
    tagsOfAnswer('directus', `${directus}/plays?fields=id,author.name&access_token=a`, {
      data: [{ id: 5, author: { name: 'a' } }],
    })
  expect(read()).toContain('directus')
  read()
  expect(warn.mock.calls).toEqual([
    [
      'Content tags: this answer has entries without an id: add `author.id`, and only its pages are purged (https://cms.example.com/items/plays)',
    ],
  ])
})
