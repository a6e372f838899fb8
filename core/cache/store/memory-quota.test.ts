import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryQuota } from './memory-quota.js'

const minute = 60_000
const kilobyte = 1_000

/** Starts a map for so many kilobytes. */
function start(size = 10) {
  let time = 0
  const expired = new Set<string>()
  const quota = createMemoryQuota<string>(
    size * kilobyte,
    (value) => expired.has(value),
    () => time,
  )
  return {
    ...quota,
    set: (key: string, value: string, kilobytes: number) => quota.set(key, value, kilobytes * kilobyte),
    expired,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
    ask(key: string, times: number) {
      for (; times > 0; times--) quota.get(key)
    },
    fill(keys: string) {
      for (const key of keys) quota.set(key, key, kilobyte)
    },
    kept: (keys: string) => [...keys].filter((key) => quota.get(key)).join(''),
  }
}

describe('a memory quota', () => {
  it('keeps what was asked for lately from what is asked for once, and for longer the more often it was', () => {
    const map = start(3)
    map.fill('abc')
    map.ask('a', 8)
    map.fill('defg')
    expect(map.kept('abcdefg')).toBe('abc')
    map.pass(21 * minute)
    map.fill('hijk')
    expect(map.kept('a')).toBe('a')
    expect(map.kept('bchijk')).toHaveLength(2)
    map.pass(60 * minute)
    map.fill('l')
    expect(map.kept('l')).toBe('l')
  })

  it('takes what is asked for again and again, in place of what is asked for least', () => {
    const map = start(3)
    map.fill('abc')
    map.ask('a', 2)
    map.ask('c', 2)
    map.fill('d')
    expect(map.get('d')).toBeUndefined()
    map.fill('d')
    expect(map.kept('abcd')).toBe('acd')
  })

  it('remembers how often what it evicted was asked for', () => {
    const map = start(8)
    map.set('a', 'a', 8)
    map.ask('a', 1)
    for (let times = 0; times < 3; times++) map.set('b', 'b', 8)
    expect(map.get('b')).toBe('b')
    for (let times = 0; times < 3; times++) map.set('a', 'a', 8)
    expect(map.get('a')).toBe('a')
  })

  it('takes what is large only when it is asked for as often as all that it replaces', () => {
    const map = start(10)
    map.fill('abcdefghij')
    for (let times = 0; times < 5; times++) map.set('large', 'large', 5)
    expect(map.get('large')).toBeUndefined()
    for (let times = 0; times < 2; times++) map.set('large', 'large', 5)
    expect(map.get('large')).toBe('large')
    expect(map.kept('abcdefghij')).toHaveLength(5)
  })

  it('evicts what has expired before all else', () => {
    const map = start(3)
    map.fill('abc')
    map.ask('b', 100)
    map.expired.add('b')
    map.fill('d')
    expect(map.kept('abcd')).toBe('acd')
    map.expired.add('a')
    expect(map.get('a')).toBeUndefined()
  })

  it('replaces a value in any case, and drops one that has grown too large', () => {
    const map = start(10)
    map.fill('abcdefgh')
    map.ask('c', 5)
    map.set('a', 'new', 3)
    expect(map.get('a')).toBe('new')
    map.set('a', 'larger than what is asked for less often', 10)
    expect(map.get('a')).toBeUndefined()
    map.set('b', 'larger than the bound', 11)
    expect(map.kept('abcdefgh')).toBe('cdefgh')
  })

  it('comes to each value, also behind many that were asked for often before', () => {
    const map = start(1000)
    for (let key = 0; key < 1000; key++) {
      map.set(`${key}`, 'value', 1)
      if (key !== 999) map.ask(`${key}`, 200)
    }
    for (let times = 0; times < 100; times++) map.set('new', 'new', 1)
    expect(map.get('new')).toBe('new')
    expect(map.get('999')).toBeUndefined()
  })

  it('holds for any order of operations', () => {
    const key = fc.integer({ min: 0, max: 20 }).map(String)
    const operation = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), key, bytes: fc.integer({ min: 0, max: 12_000 }) }),
      fc.record({ kind: fc.constantFrom('get' as const, 'delete' as const, 'expire' as const), key }),
      fc.record({ kind: fc.constant('pass' as const), milliseconds: fc.integer({ min: 0, max: 60 * minute }) }),
    )
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const map = start(10)
        const latest = new Map<string, { value: string; bytes: number }>()
        for (const [index, each] of operations.entries()) {
          if (each.kind === 'pass') map.pass(each.milliseconds)
          else if (each.kind === 'set') {
            map.set(each.key, `${index}`, each.bytes / kilobyte)
            latest.set(each.key, { value: `${index}`, bytes: each.bytes })
          } else if (each.kind === 'get') {
            expect([undefined, latest.get(each.key)?.value]).toContain(map.get(each.key))
          } else if (each.kind === 'delete') {
            map.delete(each.key)
            latest.delete(each.key)
          } else {
            map.expired.add(latest.get(each.key)?.value ?? '')
            latest.delete(each.key)
          }
        }
        const kept = [...latest].filter(([each, { value }]) => map.get(each) === value)
        expect(kept.reduce((sum, [, { bytes }]) => sum + bytes, 0)).toBeLessThanOrEqual(10 * kilobyte)
      }),
    )
  })
})
