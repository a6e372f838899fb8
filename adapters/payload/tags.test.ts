import { expect, it } from 'vitest'
import { type Fields, keyTags, queryTags, referenceTags } from './tags.js'

const posts = {
  slug: 'posts',
  flattenedFields: [
    { name: 'title', type: 'text' },
    { name: 'slug', type: 'text', index: true },
    { name: 'path', type: 'text', unique: true, localized: true },
    { name: 'author', type: 'relationship', relationTo: 'authors' },
    { name: 'tags', type: 'relationship', relationTo: 'tags', hasMany: true },
    { name: 'related', type: 'relationship', relationTo: ['posts', 'authors'], hasMany: true },
    { name: 'seo', type: 'group', flattenedFields: [{ name: 'image', type: 'upload', relationTo: 'media' }] },
    { name: 'layout', type: 'blocks', blocks: [], blockReferences: ['teaser'] },
  ],
}
const authors = { slug: 'authors', flattenedFields: [] }
const payload = {
  collections: { posts: { config: posts }, authors: { config: authors } },
  blocks: { teaser: { flattenedFields: [{ name: 'post', type: 'relationship', relationTo: 'posts' }] } },
}

it.each<[string[], Fields]>([
  [['payload:type:posts'], {}],
  [['payload:type:posts'], { where: { title: { equals: 'a' } }, sort: '-title' }],
  [['payload:posts:7'], { where: { id: { equals: 7 } } }],
  [['payload:posts:7', 'payload:posts:8'], { where: { id: { in: [7, 8] } } }],
  [
    ['payload:posts:slug=boats'],
    { where: { and: [{ _status: { equals: 'published' } }, { slug: { equals: 'boats' } }] } },
  ],
  [
    ['payload:posts:author=3', 'payload:authors:3:deleted'],
    { where: { author: { equals: '3' }, or: [{ slug: { equals: 'a' } }] } },
  ],
  // When a related document is deleted, the database empties the field, and calls no hook of the posts.
  [
    ['payload:posts:tags=1', 'payload:posts:tags=2', 'payload:tags:1:deleted', 'payload:tags:2:deleted'],
    { where: { tags: { in: [1, 2] } } },
  ],
  // Not every document that matches has the value.
  [['payload:type:posts'], { where: { or: [{ slug: { equals: 'a' } }, { slug: { equals: 'b' } }] } }],
  [['payload:type:posts'], { where: { slug: { not_equals: 'a' } } }],
  [['payload:type:posts'], { where: { and: [{ slug: { equals: 'a' } }], or: [{ slug: { equals: 'b' } }] } }],
  // Payload converts the value, or the value differs by language.
  [['payload:type:posts'], { where: { author: { equals: '03' } } }],
  [['payload:type:posts'], { where: { author: { equals: 'null' } } }],
  [['payload:type:posts'], { where: { author: { in: '1,2' } } }],
  [['payload:type:posts'], { where: { path: { equals: '/a' } } }],
  [['payload:type:posts', 'payload'], { where: { or: [{ 'author.name': { equals: 'a' } }] } }],
  [['payload:type:posts', 'payload'], { where: { author: { contains: { name: { equals: 'a' } } } } }],
  [['payload:type:posts', 'payload'], { sort: ['title', '-author.name'] }],
])('a query has the tags %j: %j', (tags, query) => {
  expect(queryTags(posts, query)).toEqual(tags)
})

it('a document is found by its values, and shows ids at any depth', () => {
  const document = {
    ...{ id: 7, title: 'a', slug: 'boats', author: { id: 3, name: 'b' }, tags: [1, { id: 2 }], path: '/a' },
    related: [
      { relationTo: 'authors', value: 4 },
      { relationTo: 'posts', value: { id: 5 } },
    ],
    ...{ seo: { image: { de: 8, en: null } }, layout: [{ blockType: 'teaser', post: 9 }] },
  }
  expect(keyTags(posts, document)).toEqual([
    ...['payload:posts:slug=boats', 'payload:posts:author=3', 'payload:posts:tags=1', 'payload:posts:tags=2'],
  ])
  expect(referenceTags(posts.flattenedFields, document, 7, payload)).toEqual([
    ...['payload:tags:1:deleted', 'payload:authors:4:deleted', 'payload:media:8:deleted', 'payload:posts:9:deleted'],
  ])
  const joins = [
    { name: 'posts', type: 'join', collection: ['posts'], on: 'author' },
    { name: 'teased', type: 'join', collection: 'posts', on: 'layout.post' },
  ]
  expect(referenceTags(joins, {}, 3, payload)).toEqual(['payload:posts:author=3', 'payload:type:posts'])
})
