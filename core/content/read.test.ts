import { expect, it } from 'vitest'
import { createContentTags } from './index.js'

const posts = { tagsOf: (rows: { id: number }[]) => ['type:post', ...rows.map(({ id }) => `post:${id}`)] }
const content = createContentTags({ sources: [], maxTags: 100 })

it('a render gets the tags of the results that it reads in the process', async () => {
  const { value, tags } = await content.collect(() => content.read(posts, async () => [{ id: 1 }, { id: 2 }]))
  expect([value, tags]).toEqual([
    [{ id: 1 }, { id: 2 }],
    ['type:post', 'post:1', 'post:2'],
  ])
  const collected = await content.collect((reads) => reads.read(posts, () => []))
  expect(collected.tags).toEqual(['type:post'])
  await expect(content.read(posts, () => [{ id: 3 }])).resolves.toEqual([{ id: 3 }])
})

it.each<[string, () => Promise<unknown>]>([
  ['failed', () => content.read(posts, () => Promise.reject(new Error('no database'))).catch(() => {})],
  ['has no tags', () => content.read({ tagsOf: () => [] }, () => 1)],
  ['goes on after the page', async () => void content.read(posts, () => new Promise(() => {}))],
  ['has too many tags', () => content.read(posts, () => Array.from({ length: 200 }, (_, id) => ({ id })))],
])('a read that %s counts as any content', async (_, read) => {
  expect((await content.collect(read)).tags).toEqual(['any-content'])
})

it('a source that returns no list of tags is an error', async () => {
  const wrong = { tagsOf: () => 'post' as unknown as string[] }
  await expect(content.read(wrong, () => 1)).rejects.toThrow(
    "tagsOf: expected a list of tags, such as ['document'], got",
  )
})
