import { expect, it } from 'vitest'
import { fromDesignTokens } from './design-tokens.js'

/** Counts how often members of an object, at any depth, are read. */
function countReads(document: object): { document: Record<string, unknown>; reads: () => number } {
  let reads = 0
  const watch = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, key) {
        reads++
        const value = Reflect.get(object, key)
        return typeof value === 'object' && value !== null ? watch(value) : value
      },
      getOwnPropertyDescriptor(object, key) {
        reads++
        return Reflect.getOwnPropertyDescriptor(object, key)
      },
    })
  return { document: watch(document) as Record<string, unknown>, reads: () => reads }
}

const white = { $type: 'color', $value: '#fff' }
const chains: Record<string, (length: number) => Record<string, unknown>> = {
  aliases: (length) =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [`t${index}`, index ? { $value: `{t${index - 1}}` } : white]),
    ),
  $extends: (length) =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [`g${index}`, index ? { $extends: `{g${index - 1}}` } : { a: white }]),
    ),
  '$extends, the last first': (length) => Object.fromEntries(Object.entries(chains.$extends?.(length) ?? {}).reverse()),
}

it.each(Object.keys(chains))('the work for a chain of 2,000 %s grows no faster than the chain', (name) => {
  expect(fromDesignTokens(chains[name]?.(2_000) ?? {}).colors).toHaveLength(2_000)
  const readsOf = (length: number) => {
    const { document, reads } = countReads(chains[name]?.(length) ?? {})
    expect(fromDesignTokens(document).colors).toHaveLength(length)
    return reads()
  }
  expect(readsOf(1_000) / readsOf(500)).toBeLessThan(2.2)
})

it('an $extends through more than 32 groups is reported', () => {
  const problems = fromDesignTokens(chains.$extends?.(2_000) ?? {}).colors.flatMap(({ problem }) => problem ?? [])
  expect(problems[0]).toBe('extends {g0}, through more than 32 groups')
})

it('groups that double with each $extends end at a limit', () => {
  const extending = (index: number) => ({ $extends: `{g${index}.x}` })
  const document: Record<string, unknown> = { g60: { x: { a: white } } }
  for (let index = 0; index < 60; index++) document[`g${index}`] = { ...extending(index + 1), x: extending(index + 1) }
  expect(fromDesignTokens(document).colors.length).toBeGreaterThan(0)
})
