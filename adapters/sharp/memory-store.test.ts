import { expect, test } from 'vitest'
import { createTieredStore } from './byte-store.js'
import { createMemoryStore } from './memory-store.js'
import { entryOf } from './testing/entries.js'

test('drops what was not asked for the longest when the bound is reached', async () => {
  const store = createMemoryStore(35_000)
  for (const key of ['a', 'b', 'c']) await store.set(key, entryOf(key, 10_000))
  await store.get('a')
  await store.set('d', entryOf('d', 10_000))
  expect(await store.get('b')).toBeUndefined()
  for (const key of ['a', 'c', 'd']) expect((await store.get(key))?.meta.name).toBe(key)
})

test('counts entries without a body too, and keeps none that is larger than all of it', async () => {
  const store = createMemoryStore(10_000)
  for (let index = 0; index < 1000; index++) await store.set(`${index}`, entryOf('', 0))
  const kept = await Promise.all(Array.from({ length: 1000 }, (_, index) => store.get(`${index}`)))
  expect(kept.filter(Boolean).length).toBeLessThan(20)
  await store.set('large', entryOf('', 10_000))
  expect(await store.get('large')).toBeUndefined()
})

test('tiers: the first that has it answers, and those before it learn of it', async () => {
  const [first, second] = [createMemoryStore(1_000_000), createMemoryStore(1_000_000)]
  const store = createTieredStore([first, second])
  await second.set('a', entryOf('a', 10))
  expect(await first.get('a')).toBeUndefined()
  expect((await store.get('a'))?.meta.name).toBe('a')
  expect((await first.get('a'))?.meta.name).toBe('a')
  await store.set('b', entryOf('b', 10))
  expect([(await first.get('b'))?.meta.name, (await second.get('b'))?.meta.name]).toEqual(['b', 'b'])
  expect(await store.get('c')).toBeUndefined()
  expect(await createTieredStore([]).get('a')).toBeUndefined()
})
