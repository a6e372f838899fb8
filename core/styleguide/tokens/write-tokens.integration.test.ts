import { defineConfig, parse } from '@terrazzo/parser'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { fromTailwind4 } from '../../../adapters/tailwind/index.js'
import { fromCssVariables, fromDesignTokens, type Styles } from '../index.js'
import { describeStyleguide } from '../index-json.js'
import schema from '../styleguide-index.schema.json' with { type: 'json' }

const describeStyles = ({ colors, ...others }: Styles) => {
  const pages = [
    { title: 'Colors', content: { props: { colors } } },
    // Elements within other elements are found, and a list that a second page shows again is written once.
    { title: 'Others', content: { props: { children: [{ props: others }, { props: { colors } }] } } },
  ]
  return describeStyleguide({ title: 'Styleguide', pages }, '/styleguide')
}

/** Parses tokens as Terrazzo does, and checks them by its rules. */
async function parseByTerrazzo(tokens: object) {
  const src = JSON.stringify(tokens, null, 2)
  const config = defineConfig({}, { cwd: new URL('file:///') })
  return parse([{ filename: new URL('file:///index.json'), src }], { config })
}

const css = `@import "tailwindcss";
  :root { --brand: #06c }
  .dark { --brand: #9cf }
  @theme inline { --color-brand: var(--brand); --text-fluid: clamp(1rem, 1rem + 1vw, 2rem) }`

it('Terrazzo reads the same names, values and modes from a theme of Tailwind 4', async () => {
  const styles = await fromTailwind4(css)
  const index = describeStyles(styles)
  const { tokens, resolver } = await parseByTerrazzo(index.tokens)
  const read = Object.values(tokens)
  const namesOf = (group: string) =>
    read.flatMap(({ id, $extensions = {} }) => {
      return id.startsWith(`${group}.`) ? ($extensions.sitewright as { name: string }).name : []
    })
  const own = styles.colors.filter(({ mode }) => !mode)
  expect(namesOf('color').sort()).toEqual(own.map(({ name }) => name).sort())
  expect(namesOf('spacing').sort()).toEqual(styles.spacing.map(({ name }) => name).sort())
  expect(namesOf('font-size').sort()).toEqual(styles.typography.sizes?.map(({ name }) => name).sort())
  expect(tokens['color.red-500']?.$value).toMatchObject({ colorSpace: 'oklch', components: [0.637, 0.237, 25.331] })
  expect(tokens['spacing.0_5']?.$value).toEqual({ value: 0.125, unit: 'rem' })
  expect(tokens['font-size.fluid']?.$value).toEqual({ value: 28.8, unit: 'px' })
  expect(tokens['font-family.sans']?.$value).toContain('-apple-system')
  expect(tokens['shadow.sm']?.$value).toMatchObject([{ blur: { value: 3, unit: 'px' } }, { spread: { value: -1 } }])
  expect(index.tokens.modifiers?.mode).toMatchObject({ default: 'light', contexts: { light: [] } })
  expect(resolver?.listPermutations?.()).toEqual([{ mode: 'light' }, { mode: 'dark' }])
  expect(hexOf(resolver?.apply({ mode: 'light' })['color.brand'])).toBe('#0066cc')
  expect(hexOf(resolver?.apply({ mode: 'dark' })['color.brand'])).toBe('#99ccff')
  expect(index.unwritten.map(({ token }) => token.split('.')[0])).toEqual(Array(6).fill('letter-spacing'))

  function hexOf(token: { $value: unknown } | undefined) {
    return (token?.$value as { hex: string } | undefined)?.hex
  }
})

it('the reader of design tokens reads back the same colors', async () => {
  const styles = fromCssVariables(`
    :root { --color-ink: light-dark(#241a13, #ece2d2); --color-rule: rgb(0 0 0 / 50%); --color-far: oklch(0.7 0.3 30) }`)
  const { colors } = fromDesignTokens(describeStyles(styles).tokens as never)
  const valuesOf = (list: Styles['colors']) =>
    list.map(({ name, value, mode }) => `${name.replace(/^color\./, '')} ${mode ?? ''}: ${value}`)
  expect(valuesOf(colors)).toEqual([
    'ink : color(srgb 0.141176 0.101961 0.07451)',
    'rule : color(srgb 0 0 0 / 0.5)',
    'far : oklch(0.7 0.3 30)',
    'ink dark: color(srgb 0.92549 0.886275 0.823529)',
  ])
})

it('a token of design tokens keeps its path', () => {
  const document = { acme: { $type: 'color', brand: { 500: { $value: '#0066cc' }, $root: { $value: '#0066cc' } } } }
  const [base] = describeStyles(fromDesignTokens(document)).tokens.sets.base.sources
  expect(base).toMatchObject({ acme: { brand: { 500: { $type: 'color', $value: { hex: '#0066cc' } } } } })
})

it('the index follows its schema', async () => {
  const validate = new Ajv().compile(schema)
  for (const styles of [await fromTailwind4(css), fromCssVariables(':root { --color-a: var(--b, red) }')]) {
    validate(describeStyles(styles))
    expect(validate.errors).toBe(null)
  }
  validate({ ...describeStyles(fromCssVariables({ '--color-a': 'red' })), extra: 1 })
  expect(validate.errors).toMatchObject([{ message: 'must NOT have additional properties' }])
})
