import { expect, it } from 'vitest'
import { fromDesignTokens } from '../testing/without-source.js'

const $type = 'color'
it('aliases may form a chain of 5,000', () => {
  const chain = Array.from({ length: 5_000 }, (_, i) => [`c${i}`, { $value: i === 4_999 ? '#f00' : `{c${i + 1}}` }])
  const colors = fromDesignTokens({ $type, ...Object.fromEntries(chain) }).colors
  expect(colors).toHaveLength(5_000)
  expect(colors.every(({ value }) => value === '#f00')).toBe(true)
})

it('groups that extend each other end at a limit', () => {
  const names = Array.from({ length: 12 }, (_, i) => `g${i}`)
  const group = Object.fromEntries(names.map((name) => [`in-${name}`, { $extends: `{${name}}` }]))
  const document = Object.fromEntries(names.map((name) => [name, { $type, ...group }]))
  expect(fromDesignTokens(document).colors.at(-1)?.problem).toMatch(/extends|beyond/)
})

it('many groups that extend a group with many tokens end at a limit', () => {
  const many = (name: string, member: object) =>
    Array.from({ length: 1_000 }, (_, index) => [`${name}${index}`, member] as const)
  const base = { $type: 'color', ...Object.fromEntries(many('token', { $value: '#fff' })) }
  const colors = fromDesignTokens({ base, ...Object.fromEntries(many('group', { $extends: '{base}' })) }).colors
  expect(colors.length).toBeLessThan(200_000)
  expect(colors.at(-1)?.problem).toBe('is beyond the limit of 200000 groups and tokens')
})
