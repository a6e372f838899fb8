import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { blocksOf, read } from '../pages.js'
import { emptyFolder, paste } from './paste.js'
import { startRegistry } from './registry.js'

let registry: Awaited<ReturnType<typeof startRegistry>>
beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

const shellBlocks = (page: string) =>
  blocksOf(read(page))
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code)

const [readme = '', smallest = ''] = shellBlocks('README.md')
// The first block that installs something.
const firstOf = (page: string) => shellBlocks(`docs/start/${page}.md`).find((lines) => /^np[mx] /.test(lines)) as string
const [wholeServer = '', , wholeNext = ''] = shellBlocks('docs/start/whole.md')
/** All features on one screen. The first installs what the test before it does. */
const whole: [string, string][] = [
  ['whole, Next.js', wholeNext],
  ['whole, Hono', wholeServer],
  ['whole, Express', wholeServer.replace('npx tsx hono.ts', 'npx tsx express.ts')],
]
const blocks: [string, string][] = [
  ['README.md and index, the smallest complete site', readme],
  ['README.md and hono, the smallest server', smallest],
  ...['express', 'node', 'others', 'next'].map((page): [string, string] => [page, firstOf(page)]),
]

/** Asks for the page and for its picture, as a browser does. */
async function expectPageWithPicture(url: string): Promise<void> {
  const load = async () => {
    const html = await (await fetch(url)).text()
    const [, src = ''] = /<img[^>]* src="(\/_image\/[^"]+)"/.exec(html) ?? []
    const picture = await fetch(url + src.replaceAll('&amp;', '&'), { headers: { Accept: 'image/avif,*/*' } })
    const bytes = Buffer.from(await picture.arrayBuffer())
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/avif'])
    expect((await sharp(bytes).metadata()).width).toBeGreaterThan(600)
  }
  // On a busy machine the first image may take longer than the proxy waits: 504, and the next request gets it.
  await vi.waitFor(load, { timeout: 90_000, interval: 250 })
}

// As `npm init` writes it, but with the line ends of Windows.
const commonjs = '{\r\n  "name": "mine",\r\n  "type": "commonjs",\r\n  "scripts": { "test": "exit 1" }\r\n}\r\n'
// Pinned, as `npx` takes them from the registry. Of Yarn 4, since sharp does not load its binary by Plug'n'Play.
const managers = { pnpm: 'pnpm@10.2.0', yarn: 'yarn@1.22.22', 'yarn 4': '@yarnpkg/cli-dist@4.9.1' }

interface Paste {
  name: string
  lines: string
  folder?: string
  /** The package.json that exists before. */
  manifest?: string
  manager?: keyof typeof managers
  /** Into a terminal, with the line ends of Windows. */
  terminal?: boolean
}
const named = ([name, lines]: [string, string]) => ({ name, lines })
const [site, server, ...others] = blocks.map(named) as [Paste, Paste, ...Paste[]]
const folders = [
  { folder: 'Straße und Café', manifest: commonjs },
  { manifest: '{ "type": "module" }' },
  { folder: 'Straße und Café' },
  {},
]

// An installation takes seconds, so each block, each kind of folder, each package manager and the terminal are in some row, and not
// in all combinations.
const pastes: Paste[] = [
  { ...site, ...folders[0], terminal: true },
  { ...site, ...folders[1], manager: 'pnpm' },
  { ...site, ...folders[2], manager: 'yarn' },
  { ...site, manager: 'yarn 4' },
  { ...server, ...folders[0] },
  ...others.map((paste, index) => ({ ...paste, ...folders[index % 4] })),
]

it.for(pastes)(
  '$name: a page with a picture answers; folder $folder, package.json $manifest, by $manager, in a terminal: $terminal',
  { timeout: 300_000 },
  async ({ lines, folder: name, manifest, manager, terminal }) => {
    expect(lines.trim().split('\n').length).toBeLessThanOrEqual(6)
    const folder = emptyFolder(name, !manager)
    if (manifest !== undefined) writeFileSync(join(folder, 'package.json'), manifest)
    const { url, output } = await paste(folder, by(manager, lines), registry.url, terminal ? inTerminal(lines) : {})
    await expectPageWithPicture(url)
    if (manager) expect(output()).toContain('Open http://localhost:')
    const { type, name: packageName } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect([type, packageName]).toEqual(['module', manifest === commonjs ? 'mine' : undefined])
  },
)

it.for(whole)('%s: a page with a picture answers, in two languages', { timeout: 300_000 }, async ([, lines]) => {
  const { url } = await paste(emptyFolder('site', true), lines, registry.url)
  await expectPageWithPicture(url)
  const german = await (await fetch(`${url}/de/ueber-uns`)).text()
  expect(german).toContain('<html lang="de"')
  expect(german).toMatch(/<link[^>]* hrefLang="en"[^>]*>/i)
  expect(await (await fetch(`${url}/styleguide/colors`)).text()).toContain('id="color-paper"')
})

it('express, in TypeScript and as CommonJS: a page with a picture answers', { timeout: 300_000 }, async () => {
  const blocks = shellBlocks('docs/start/express.md')
  const [javascript = '', compile = ''] = [blocks[0], blocks.at(-1)]
  expect(compile).toContain('--module commonjs')
  const lines = javascript
    .replace('npm pkg set type=module', 'npm install -D typescript @types/node @types/express')
    .replace(/ server\.js$/m, ' server.ts')
    .replace(/^node server\.js.*$/m, compile)
  const { url } = await paste(emptyFolder('site', true), lines, registry.url)
  await expectPageWithPicture(url)
})

function by(manager: Paste['manager'], lines: string): string {
  if (!manager) return lines
  const command = `YARN_NODE_LINKER=node-modules npx --yes ${managers[manager]}`
  return lines.replaceAll('npm install', `${command} install`).replaceAll('npm start', `${command} start`)
}

function inTerminal(lines: string) {
  const command = ['script', '--quiet', '--return', '--command', 'bash --norc --noprofile', '/dev/null']
  return { command, input: lines.replaceAll('\n', '\r\n') }
}

it('the first block of every page of the first steps is tested', () => {
  expect(firstOf('index')).toBe(readme)
  expect(firstOf('hono')).toBe(smallest)
  // `npm test` has run its first half, and the contract tests of the examples ask what it starts.
  expect(firstOf('example')).toMatch(/^npm ci && npm start\b.*\n$/)
})
