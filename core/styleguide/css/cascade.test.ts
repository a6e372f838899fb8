import { describe, expect, it } from 'vitest'
import { fromCssVariables } from '../testing/without-source.js'

/** The colors by name, those of modes with the mode in front. */
const read = (css: string) =>
  Object.fromEntries(
    fromCssVariables(css).colors.map(({ name, mode, value }) => [mode ? `${mode}: ${name}` : name, value]),
  )

describe('a theme beside :root', () => {
  it.each([
    ['body.dark', 'dark'],
    ["body[data-theme='dim']", 'dim'],
    ['.wa-dark', 'wa-dark'],
    ['.bp5-dark', 'bp5-dark'],
    ['html .dark', 'dark'],
    ['html > body.dark', 'dark'],
    [':root [data-theme=dim]', 'dim'],
  ])('is %s', (selector, mode) => {
    expect(read(`:root { --color-a: red } ${selector} { --color-a: blue }`)).toEqual({
      a: 'red',
      [`${mode}: a`]: 'blue',
    })
  })

  it.each([
    [
      'a part that ends like one, with its own properties',
      '.btn-dark { --color-btn: blue; --color-a: blue; --color-c: lime }',
    ],
    ['a part that changes a single property of many', '.carousel-dark { --color-a: blue }'],
    ['a part of a theme', '.dark .btn { --color-a: blue }'],
    ['a page', 'body.home { --color-a: blue }'],
    ['an ancestor of anything else', 'html .btn { --color-a: blue }'],
  ])('is not %s', (_, rule) => {
    const many = Array.from({ length: 40 }, (_, index) => `--x${index}: 1;`).join('')
    const { colors, leftOut } = fromCssVariables(`:root { --color-a: red; ${many} } ${rule}`)
    expect(colors).toEqual([{ name: 'a', value: 'red' }])
    expect(leftOut).toContainEqual(
      expect.objectContaining({ reason: expect.stringMatching(/^declared for something within/) }),
    )
  })
})

describe('the value that counts is', () => {
  it.each<[string, string, string]>([
    ['unlayered before layered', ':root { --color-a: red } @layer x { :root { --color-a: blue } }', 'red'],
    ['of the last layer', '@layer x { :root { --color-a: red } } @layer y { :root { --color-a: blue } }', 'blue'],
    [
      'in the stated order',
      '@layer y, x; @layer x { :root { --color-a: red } } @layer y { :root { --color-a: blue } }',
      'red',
    ],
    [
      'of a layer before its sublayers',
      '@layer x { :root { --color-a: red } @layer y { :root { --color-a: blue } } }',
      'red',
    ],
    [
      'of a named sublayer',
      '@layer x.z, x.y; @layer x.y { :root { --color-a: red } } @layer x { @layer z { :root { --color-a: blue } } }',
      'red',
    ],
    [
      'of the last layer without a name',
      '@layer { :root { --color-a: red } } @layer { :root { --color-a: blue } }',
      'blue',
    ],
    [
      'the initial value of @property',
      "@property --color-a { syntax: '<color>'; inherits: true; initial-value: red }",
      'red',
    ],
    ['declared before initial', ':root { --color-a: red } @property --color-a { initial-value: blue }', 'red'],
  ])('%s', (_, css, value) => expect(read(css)).toEqual({ a: value }))

  it('the document’s own, if a mode is in a layer below', () => {
    expect(
      read(
        '@layer x { .dark { --color-a: blue; --color-b: blue } } :root { --color-a: red; --b: 1 } @layer x { :root { --color-b: red } }',
      ),
    ).toEqual({
      a: 'red',
      b: 'red',
      'dark: b': 'blue',
    })
  })
})
