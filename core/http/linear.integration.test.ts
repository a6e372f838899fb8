import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const core = (path: string) => JSON.stringify(fileURLToPath(new URL(`../${path}`, import.meta.url)))

/** Evaluates an expression in a process of its own, which is killed after a minute. */
async function evaluate(expression: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { parseCacheControl, parseTargeted } from ${core('http/cache-control.ts')}
        import { namedMediaTypes } from ${core('http/negotiation.ts')}
        import { createSourceMatcher } from ${core('image/sources.ts')}
        import { readStylesheet } from ${core('styleguide/css/stylesheet.ts')}
        import { fromCssVariables } from ${core('styleguide/css/css-variables.ts')}
        console.log(${expression})
      `,
      resolveDir: fileURLToPath(new URL('../../', import.meta.url)),
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  })
  const script = outputFiles[0]?.text ?? ''
  const child = promisify(execFile)(process.execPath, ['-'], { timeout: 60_000, killSignal: 'SIGKILL' })
  child.child.stdin?.end(script)
  return (await child).stdout.trim()
}

// Each text has about 1 MB. A quadratic scan takes minutes at least, a linear one milliseconds.
const fields: [string, string][] = [
  ['quotes', `'"\\\\'.repeat(500_000)`],
  ['escaped quotes that never end', `'a="' + '\\\\"'.repeat(500_000)`],
  ['a name', `'a'.repeat(1_000_000) + '!'`],
  ['a quoted string', `'a="' + 'b'.repeat(1_000_000) + '"!'`],
  ['commas', `','.repeat(1_000_000)`],
  ['lists of fields', `'private="a",'.repeat(80_000)`],
  ['parameters', `'a' + ';a="x"'.repeat(160_000) + ';'`],
  ['spaces', `'a' + ' '.repeat(1_000_000) + '!'`],
  ['spaces after a semicolon', `'a;' + ' '.repeat(1_000_000) + '!'`],
  ['digits', `'a=' + '1'.repeat(1_000_000) + '!'`],
]

test.each(fields)(
  'Cache-Control and targeted fields of 1 MB are parsed in linear time: %s',
  { timeout: 90_000 },
  async (_, field) => {
    const expression = `[parseCacheControl(${field}), parseTargeted(${field})].length`
    expect(await evaluate(expression)).toBe('2')
  },
)

test.each([
  ['digits', `'1'.repeat(1_000_000)`],
  ['digits and a full stop', `'1'.repeat(500_000) + '.' + '1'.repeat(500_000) + '!'`],
  ['letters', `'1' + 'a'.repeat(1_000_000) + '!'`],
])('a breakpoint of 1 MB is read in linear time: %s', { timeout: 90_000 }, async (_, value) => {
  const theme = `{ '--breakpoint-a': ${value}, '--breakpoint-b': '40rem' }`
  expect(await evaluate(`fromCssVariables(${theme}).breakpoints.length`)).toBe('2')
})

const visitorInputs: [string, string, string][] = [
  ['weights of Accept', `namedMediaTypes('image/avif;q=' + '1'.repeat(1_000_000) + 'x').size`, '1'],
  ['a source with a fragment', `createSourceMatcher(['/media/'])('a://' + 'a'.repeat(1_000_000) + '#')`, 'false'],
  ['parameters of Accept', `namedMediaTypes('a' + ' ;'.repeat(500_000)).size`, '1'],
]

test.each(visitorInputs)(
  '1 MB from a visitor is read in linear time: %s',
  { timeout: 90_000 },
  async (_, expression, expected) => {
    expect(await evaluate(expression)).toBe(expected)
  },
)

// Where case is ignored, 'k' also matches a letter beyond ASCII. U+2003 is white space, but CSS reads it as a letter.
test.each([`'k'.repeat(100_000)`, `'\\\\0\\u2003'.repeat(100_000)`])(
  'a stylesheet is read in linear time: %s',
  { timeout: 90_000 },
  async (text) => {
    expect(await evaluate(`readStylesheet(':root{' + ${text} + '}').root.length`)).toBe('0')
  },
)
