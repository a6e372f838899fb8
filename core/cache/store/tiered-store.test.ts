import { describe, expect, it, vi } from 'vitest'
import { memoryStore, type Store, type StoredValue, type StoreHit, tieredStore } from '../index.js'
import { deferred, rest } from '../testing/harness.js'

const entryOf = (name: string): StoredValue => ({ kind: 'value', metadata: { name }, body: new Uint8Array(), ttl: 60 })
const nameOf = (hit: StoreHit | undefined) => hit?.entry.kind === 'value' && hit.entry.metadata.name

/** Creates two tiers in memory: the second answers asynchronously, and can be held back. */
function startTiers() {
  let time = 0
  const clock = () => time
  const [first, inner] = [memoryStore({ maxBytes: 1e6, clock }), memoryStore({ maxBytes: 1e6, clock })]
  let gate: Promise<unknown> = Promise.resolve()
  const second: Store = {
    get: async (key) => {
      const hit = inner.get(key)
      await gate
      return hit
    },
    set: (key, entry, age) => gate.then(() => inner.set(key, entry, age)),
    delete: (key) => gate.then(() => inner.delete(key)),
  }
  const log = vi.fn()
  return {
    first,
    second,
    inner,
    log,
    store: tieredStore([first, second], { timeout: 50, log }),
    hold: (until: Promise<unknown>) => {
      gate = until
    },
    pass: (seconds: number) => {
      time += seconds * 1000
    },
  }
}

it.each([[[]], [undefined], [[{}]]])('tieredStore rejects the list %o', (stores) => {
  expect(() => tieredStore(stores as never)).toThrow(/^stores: expected a list of stores/)
})

describe('get', () => {
  it('get returns the hit of the first tier that has one, synchronously if that tier is synchronous', async () => {
    const { store, first, inner } = startTiers()
    await first.set('a', entryOf('first'))
    await inner.set('a', entryOf('second'))
    expect(nameOf(store.get('a') as StoreHit)).toBe('first')
    expect(await store.get('b')).toBeUndefined()
  })

  it('get copies a hit to the earlier tiers, with its age', async () => {
    const { store, first, inner, pass } = startTiers()
    await inner.set('a', entryOf('second'), 10)
    pass(5)
    expect(await store.get('a')).toMatchObject({ age: 15 })
    pass(5)
    expect(first.get('a')).toEqual({ entry: entryOf('second'), age: 20 })
    pass(40.1)
    expect(await store.get('a')).toBeUndefined()
  })

  it.each(['set', 'delete'] as const)(
    'get does not copy a hit over the result of a concurrent %s',
    async (operation) => {
      const { store, first, inner, hold } = startTiers()
      await inner.set('a', entryOf('old'))
      const gate = deferred()
      hold(gate.promise)
      const finding = store.get('a')
      const changing = operation === 'set' ? store.set('a', entryOf('new')) : store.delete('a')
      gate.resolve()
      expect(nameOf(await finding)).toBe('old')
      await changing
      expect(nameOf((await first.get('a')) as StoreHit | undefined)).toBe(operation === 'set' ? 'new' : false)
      expect(nameOf(await store.get('a'))).toBe(operation === 'set' ? 'new' : false)
    },
  )
})

describe('set and delete', () => {
  it('set writes to all tiers, and resolves when the first tier has stored the entry', async () => {
    const { store, first, inner, hold } = startTiers()
    const gate = deferred()
    hold(gate.promise)
    await store.set('a', entryOf('new'), 10)
    expect(nameOf(await store.get('a'))).toBe('new')
    expect(inner.get('a')).toBeUndefined()
    gate.resolve()
    await rest()
    for (const tier of [first, inner]) expect(tier.get('a')).toMatchObject({ entry: entryOf('new'), age: 10 })
  })

  it.each([
    ['the first tier', [true, false], true],
    ['a later tier', [false, true], true],
    ['no tier', [false, false], false],
    ['tiers that return nothing', [undefined, undefined], true],
  ])('set returns whether any tier has stored the entry: %s', async (_, results, expected) => {
    const tiers = results.map((result) => ({ ...memoryStore({ maxBytes: 1 }), set: async () => result }))
    expect(await tieredStore(tiers).set('a', entryOf('new'))).toBe(expected)
  })

  it('delete removes an entry from all tiers, and resolves when the last tier has removed it', async () => {
    const { store, first, inner, hold } = startTiers()
    await store.set('a', entryOf('new'))
    await rest()
    const gate = deferred()
    hold(gate.promise)
    const done = vi.fn()
    const deleting = Promise.resolve(store.delete('a')).then(done)
    await rest()
    expect(done).not.toHaveBeenCalled()
    gate.resolve()
    await deleting
    for (const tier of [first, inner]) expect(tier.get('a')).toBeUndefined()
  })
})

describe('a faulty tier', () => {
  const hang = () => new Promise<never>(() => {})
  const fail = () => Promise.reject(new Error('away'))
  const raise = () => {
    throw new Error('away')
  }

  it.each([
    ['hangs', hang],
    ['rejects', fail],
    ['throws', raise],
  ])('a tier that %s does not affect the other tiers, at any position, and is logged once', async (_, broken) => {
    const bad: Store = { get: broken, set: broken, delete: broken }
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const log = vi.fn()
      const good = memoryStore({ maxBytes: 1e6 })
      const store = tieredStore(
        order.map((isBad) => (isBad ? bad : good)),
        { timeout: 20, log },
      )
      await store.set('a', entryOf('a'))
      for (let time = 0; time < 3; time++) expect(nameOf(await store.get('a'))).toBe('a')
      expect(await store.get('b')).toBeUndefined()
      await store.delete('a')
      expect(good.get('a')).toBeUndefined()
      await vi.waitFor(() => expect(log).toHaveBeenCalledTimes(1), 20_000)
    }
  })
})
