import { expect, it } from 'vitest'
import * as mdx from '../../adapters/mdx/index.js'
import * as tailwind from '../../adapters/tailwind/index.js'
import * as core from '../../core/index.js'

type Read = (input: unknown) => unknown
const entries = { ...core, ...tailwind, ...mdx } as unknown as Record<string, unknown>

/** Functions that read a style configuration or the like. */
const readers = ['fromCssVariables', 'fromDesignTokens', 'fromTailwind3', 'fromTailwind4', 'readStyleguidePages']

it.each(
  readers.flatMap((name) =>
    [undefined, null, 1, true, []].map((input) => [
      name,
      input === undefined ? 'undefined' : JSON.stringify(input),
      input,
    ]),
  ),
)('%s(%s) says what is expected', async (name, _, input) => {
  const read = async () => (entries[name as string] as Read)(input)
  await expect(read()).rejects.toThrow(
    expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(/^[\w. ]+: expected .+, got .+/) }),
  )
})

it('the table has every reader of the package', () => {
  const pattern = /^(?:from|read)[A-Z]/
  expect(
    Object.keys(entries)
      .filter((name) => pattern.test(name))
      .sort(),
  ).toEqual(readers)
})
