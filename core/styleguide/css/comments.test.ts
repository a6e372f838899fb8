import { expect, it } from 'vitest'
import { fromDesignTokens } from '../tokens/design-tokens.js'
import { fromCssVariables } from './css-variables.js'

const descriptionsOf = (css: string) =>
  fromCssVariables(css).colors.map(({ name, description }) => description && [name, description])

it.each<[string, string, unknown[]]>([
  [
    'behind its declaration',
    '--color-a: red; /* Once on a page */\n--color-b: blue;',
    [['a', 'Once on a page'], undefined],
  ],
  ['before its declaration', '/* Once on a page */\n--color-a: red;\n', [['a', 'Once on a page']]],
  ['that is a heading of several colors', '/* Brand */\n--color-a: red;\n--color-b: blue;', [undefined, undefined]],
  ['that is empty', '--color-a: red; /* */', [undefined]],
])('a color is described by a comment %s', (_, declarations, descriptions) => {
  expect(descriptionsOf(`:root {\n${declarations}\n}`)).toEqual(descriptions)
})

it('a color is described by the $description of its token', () => {
  const token = { $type: 'color', $value: '#123456', $description: 'Once on a page' }
  expect(fromDesignTokens({ a: token }).colors[0]?.description).toBe('Once on a page')
})
