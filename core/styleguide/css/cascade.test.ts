import { describe, expect, it } from 'vitest'
import { fromCssVariables } from '../testing/without-source.js'

/** Returns the values of colors by name. A color of a mode has the mode in front: `dark: a`. */
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
  ])('%s is the theme %s', (selector, mode) => {
    expect(read(`:root { --color-a: red } ${selector} { --color-a: blue }`)).toEqual({
      a: 'red',
      [`${mode}: a`]: 'blue',
    })
  })

  it.each([
    [
      'a component whose name ends in -dark, with properties of its own',
      '.btn-dark { --color-btn: blue; --color-a: blue; --color-c: lime }',
    ],
    ['a component that changes a single property of many', '.carousel-dark { --color-a: blue }'],
    ['a component within a theme', '.dark .btn { --color-a: blue }'],
    ['a page', 'body.home { --color-a: blue }'],
    ['a component within html', 'html .btn { --color-a: blue }'],
  ])('%s is not a theme', (_, rule) => {
    const many = Array.from({ length: 40 }, (_, index) => `--x${index}: 1;`).join('')
    const { colors, leftOut } = fromCssVariables(`:root { --color-a: red; ${many} } ${rule}`)
    expect(colors).toEqual([{ name: 'a', value: 'red' }])
    expect(leftOut).toContainEqual(
      expect.objectContaining({ reason: expect.stringMatching(/^declared for something within/) }),
    )
  })
})

describe('the cascade', () => {
  it.each<[string, string, string]>([
    [
      'an unlayered value overrides a layered value',
      ':root { --color-a: red } @layer x { :root { --color-a: blue } }',
      'red',
    ],
    [
      'the last layer overrides an earlier layer',
      '@layer x { :root { --color-a: red } } @layer y { :root { --color-a: blue } }',
      'blue',
    ],
    [
      'the stated order of layers counts',
      '@layer y, x; @layer x { :root { --color-a: red } } @layer y { :root { --color-a: blue } }',
      'red',
    ],
    [
      'a layer overrides its sublayers',
      '@layer x { :root { --color-a: red } @layer y { :root { --color-a: blue } } }',
      'red',
    ],
    [
      'the stated order of sublayers counts',
      '@layer x.z, x.y; @layer x.y { :root { --color-a: red } } @layer x { @layer z { :root { --color-a: blue } } }',
      'red',
    ],
    [
      'the last layer without a name overrides an earlier one',
      '@layer { :root { --color-a: red } } @layer { :root { --color-a: blue } }',
      'blue',
    ],
    [
      '@property gives an initial value',
      "@property --color-a { syntax: '<color>'; inherits: true; initial-value: red }",
      'red',
    ],
    [
      'a declaration overrides the initial value of @property',
      ':root { --color-a: red } @property --color-a { initial-value: blue }',
      'red',
    ],
  ])('%s', (_, css, value) => expect(read(css)).toEqual({ a: value }))

  it('a mode’s value in a lower layer does not override the document’s value', () => {
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
