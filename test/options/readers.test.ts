import { expect, it } from 'vitest'
import * as mdx from '../../adapters/mdx/index.js'
import * as tailwind from '../../adapters/tailwind/index.js'
import * as core from '../../core/index.js'

type Read = (input: unknown) => unknown
const entries = { ...core, ...tailwind, ...mdx } as unknown as Record<string, unknown>

/** Functions that read a style configuration or the like. */
const readers = [
  'breakpointsFromTailwind3',
  'breakpointsFromTailwindTheme',
  'fromCssVariables',
  'fromDesignTokens',
  'fromTailwind3', // never throws: what is no color is shown as such
  'fromTailwind4',
  'fromTailwindTheme',
  'markdownPage',
  'readStyleguidePages',
  'readTailwind4Theme',
  'typographyFromCssVariables',
  'typographyFromDesignTokens',
  'typographyFromTailwind3',
  'typographyFromTailwindTheme',
]

it.each(
  readers
    .filter((name) => name !== 'fromTailwind3')
    .flatMap((name) =>
      // A list of pairs is a theme.
      [undefined, null, 1, true, ...(name.endsWith('Theme') && !name.startsWith('read') ? [] : [[]])].map((input) => [
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
  const pattern = /^(?:from[A-Z]|read[A-Z]|markdown)|From(?:Tailwind|Css|Design)/
  expect(
    Object.keys(entries)
      .filter((name) => pattern.test(name))
      .sort(),
  ).toEqual(readers)
})
