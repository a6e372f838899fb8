import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStore } from '../../adapters/disk/index.js'
import { entryOf, nameOf } from '../../adapters/disk/testing/entries.js'
import { redisStore } from '../../adapters/redis/index.js'
import { connect, startRedis } from '../../adapters/redis/testing/redis-server.js'
import { memoryStore, type Store, tieredStore } from '../../core/cache/index.js'

const MB = 1_000_000
const inMemory = (maxBytes: number) => memoryStore({ maxBytes })
const onDisk = async (maxBytes: number) =>
  diskStore({ directory: await mkdtemp(join(tmpdir(), 'sitewright-')), maxBytes })

let server: Awaited<ReturnType<typeof startRedis>>
let connection: Awaited<ReturnType<typeof connect>>
beforeAll(async () => {
  server = await startRedis()
  connection = await connect('redis', server.port)
})
afterAll(async () => {
  await connection.close()
  await server.stop()
})
let opened = 0
const inRedis = () => redisStore({ client: connection.client, prefix: `${opened++}:`, timeout: 20_000 })

/** Every store that has its own maximum size in bytes. For a tiered store, this is the maximum of the larger tier. */
const boundedStores: [string, (maxBytes: number) => Store | Promise<Store>][] = [
  ['memoryStore', inMemory],
  ['diskStore', onDisk],
  ['tieredStore of memory and disk', async (maxBytes) => tieredStore([inMemory(maxBytes / 2), await onDisk(maxBytes)])],
  ['tieredStore of disk and memory', async (maxBytes) => tieredStore([await onDisk(maxBytes), inMemory(maxBytes / 2)])],
]

const stores: typeof boundedStores = [
  ...boundedStores,
  ['redisStore', inRedis],
  ['tieredStore of memory and Redis', (maxBytes) => tieredStore([inMemory(maxBytes), inRedis()])],
]

describe.each(stores)('%s', (_, open) => {
  test.each([
    ['a response', entryOf('ü', 1000, { status: 404, statusText: 'Not here', tags: ['ä', 'b c'], initialAge: 1.5 })],
    ['a response with an empty body', entryOf('', 0, { status: 204, headers: [] })],
    ['a response with several headers of a name', entryOf('', 9, { headers: [['a', '1'], ['a', '2']] })], // biome-ignore format: a row
    ['a value', { kind: 'value', metadata: { type: 'image/ü', tags: [] }, body: new Uint8Array([0, 255]), ttl: 9 } as const], // biome-ignore format: a row
  ])('the store returns %s as it was stored', async (_, entry) => {
    const store = await open(MB)
    expect(await store.get('k')).toBeUndefined()
    await store.set('k', entry)
    const hit = await store.get('k')
    expect(hit?.entry).toEqual(entry)
    expect(hit?.age).toBeGreaterThanOrEqual(0)
    expect(hit?.age).toBeLessThan(20)
    await store.delete('k')
    expect(await store.get('k')).toBeUndefined()
  })

  test.each(['', '/', '../../etc/passwd', 'a\0b', 'ü', 'x'.repeat(10_000), '__proto__'])(
    'distinguishes keys such as %j',
    async (key) => {
      const store = await open(MB)
      await store.set(key, entryOf('right', 10))
      await store.set(`${key} `, entryOf('other', 10))
      expect([nameOf(await store.get(key)), nameOf(await store.get(`${key} `))]).toEqual(['right', 'other'])
    },
  )

  test('the age of a hit includes the age when it was stored, and an expired entry is a miss', async () => {
    const store = await open(MB)
    await store.set('k', entryOf('k', 10), 3590)
    expect((await store.get('k'))?.age).toBeGreaterThanOrEqual(3590)
    await store.set('k', entryOf('k', 10), 3601)
    expect(await store.get('k')).toBeUndefined()
  })

  test('the store behaves like a Map, in the order of the calls', async () => {
    const key = fc.constantFrom('a', 'b')
    const call = fc.oneof(
      fc.record({ call: fc.constant('set' as const), key, name: fc.string({ unit: 'grapheme-ascii' }) }),
      fc.record({ call: fc.constant('get' as const), key }),
      fc.record({ call: fc.constant('delete' as const), key }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 15 }), async (calls) => {
        const [store, map] = [await open(MB), new Map<string, string>()]
        const writes: unknown[] = []
        for (const step of calls) {
          if (step.call === 'get') expect(nameOf(await store.get(step.key))?.trim()).toBe(map.get(step.key)?.trim())
          else if (step.call === 'delete') {
            writes.push(store.delete(step.key))
            map.delete(step.key)
          } else {
            writes.push(store.set(step.key, entryOf(step.name, 10)))
            map.set(step.key, step.name)
          }
        }
        await Promise.all(writes)
      }),
      { numRuns: 50 },
    )
  })
})

describe.each(boundedStores)('%s', (_, open) => {
  test('the store stays within its maximum with a thousand keys, and keeps a key that is read again and again', async () => {
    const store = await open(200_000)
    for (let index = 0; index < 1000; index++) {
      await store.set(`${index}`, entryOf(`${index}`, 100))
      await setImmediate() // as between two requests
    }
    const found = await Promise.all(Array.from({ length: 1000 }, (_, index) => store.get(`${index}`)))
    expect(found.filter(Boolean).length).toBeGreaterThan(10)
    expect(found.filter(Boolean).length).toBeLessThan(250)
    // As when it is rendered again.
    for (let times = 0; times < 3; times++) await store.set('new', entryOf('new', 100))
    expect(nameOf(await store.get('new'))).toBe('new')
  })

  test('the store drops an entry larger than its maximum, and the previous entry', async () => {
    const store = await open(50_000)
    await store.set('k', entryOf('old', 100))
    await store.set('k', entryOf('new', 100_000))
    expect(await store.get('k')).toBeUndefined()
  })
})
