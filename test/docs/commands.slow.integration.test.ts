import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { blocksOf, pages, read, root } from './pages.js'
import { secret, withCompiledServer, withServer } from './with-server.js'

const linesOf = (page: string) =>
  blocksOf(read(page))
    .filter(({ language }) => language === 'sh' || language === 'powershell')
    .flatMap(({ code }) => code.trim().split('\n'))

/** Lines that this test does not run, and where they are run. */
const elsewhere: [line: RegExp, where: string][] = [
  [/^npx tsc \*\.ts/, 'first-steps'],
  [
    /^(?:npm|npx --yes sitewright init|npx next dev|cp |mkdir |rm -r |node server)/,
    'first-steps, and test/examples/start',
  ],
  [
    /^REVALIDATE_SECRET=\S+ (?:STYLEGUIDE_ENABLED=true )?(?:node server\.js|npx tsx hono\.ts.*|npx next dev)$/,
    'each row below starts its server in this way',
  ],
  [/^npx sitewright (?:init|remove)/, 'cli/init, cli/remove'],
  [/^npx next build/, 'test/next-site'],
  [/\?dry-run'$/, 'snippets, with the answer of the page'],
  [/^\$env:|^curl\.exe/, 'nowhere: no Windows here'],
]

/** The lines of a page that ask a server, the server, and what they print, in their order. */
const rows: [page: string, snippet: string, ...printed: RegExp[]][] = [
  ...['express', 'hono', 'node'].map((name): [string, string, ...RegExp[]] => [
    `docs/start/${name}.md`,
    `start/${name}-pages.js`,
    /rendered.*cache-status|cache-status.*rendered/is,
    /^\{"revalidated":true\}$/,
    /^\{"revalidated":true,"tags":\["\/media\/black-canyon\.jpg"\]\}$/,
  ]),
  ['docs/start/next.md', 'start/hono-pages.js', /^\{"revalidated":true\}$/, /^\{"revalidated":true,"tags":/],
  ['docs/start/whole.md', 'whole/server/hono.ts', /"tags":\["\/about","\/en\/about","\/de\/ueber-uns"\]/],
  ['docs/start/develop.md', 'start/hono-pages.js', /^\{"revalidated":true,"tags":\["\/articles\/boats"\]\}$/],
  ['docs/guide/cache-status.md', 'start/hono-pages.js', /^cache-status: sitewright;/],
  ['docs/guide/image-caching.md', 'start/hono-pages.js', /^image\/avif$/, /^image\/jpeg$/],
  ['docs/guide/signed-in.md', 'signed-in.js', /^cache-status: sitewright;/, /fwd=bypass/],
  ['docs/guide/localized-pages.md', 'routes-server.js', /alternates/],
  ['docs/guide/styleguide.md', 'start/hono.js', /tokens/, /tokens/, /files/],
]

describe('the commands of a page', () => {
  it.each(rows)('%s, with %s', { timeout: 120_000 }, async (page, snippet, ...printed) => {
    const folder = mkdtempSync(join(tmpdir(), 'sitewright-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'src'))
    cpSync(new URL('examples/site/styles', root), join(folder, 'src/styles'), { recursive: true })
    const lines = linesOf(page).filter((line) => !elsewhere.some(([pattern]) => pattern.test(line)))
    expect(lines).toHaveLength(printed.length)
    const run = snippet.endsWith('.ts') ? withCompiledServer : withServer
    await run(snippet, async (origin) => {
      for (const [index, line] of lines.entries()) {
        expect(await printedBy(line, origin, folder), line).toMatch(printed[index] as RegExp)
      }
    })
    if (page.endsWith('styleguide.md')) expect(existsSync(join(folder, 'public/styleguide/index.html'))).toBe(true)
  })

  it.each(pages)('each command of %s is run by a test', (page) => {
    const row = rows.find(([name]) => name === page)
    const lines = linesOf(page).filter((line) => !elsewhere.some(([pattern]) => pattern.test(line)))
    expect(lines).toHaveLength(row ? row.length - 2 : 0)
  })
})

/** Runs a line as it stands in a page, but with the port of the server, and the command of this checkout. */
async function printedBy(line: string, origin: string, cwd: string): Promise<string> {
  const command = line
    .replace(/https:\/\/www\.example\.com|(?:http:\/\/)?localhost:3000/g, origin)
    .replace('/_image/…', `/_image/${Buffer.from('/media/black-canyon.jpg').toString('base64url')}`)
    .replace('npx sitewright', `node ${fileURLToPath(new URL('dist/cli/index.js', root))}`)
  const env = { ...process.env, REVALIDATE_SECRET: secret }
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd, env }).catch((error) => error)
  return stdout.trim()
}
