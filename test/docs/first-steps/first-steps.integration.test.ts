import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isLong } from '../../setup/long.js'
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
const firstOf = (page: string) => shellBlocks(`docs/start/${page}.md`)[0] as string
const [wholeServer = '', , wholeNext = ''] = shellBlocks('docs/start/whole.md')
/** All features on one screen. */
const whole: [string, string][] = [
  ['whole, Hono', wholeServer],
  ['whole, Express', wholeServer.replace('npx tsx hono.ts', 'npx tsx express.ts')],
  ['whole, Next.js', wholeNext],
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

describe('pasted into an empty folder', () => {
  it.for(blocks)('%s: a page with a picture answers', { timeout: 300_000 }, async ([, lines]) => {
    expect(lines.trim().split('\n').length).toBeLessThanOrEqual(6)
    const { url } = await paste(emptyFolder(), lines, registry.url)
    await expectPageWithPicture(url)
  })

  it.for(whole)('%s: a page with a picture answers, in two languages', { timeout: 300_000 }, async ([, lines]) => {
    const { url } = await paste(emptyFolder(), lines, registry.url)
    await expectPageWithPicture(url)
    const german = await (await fetch(`${url}/de/ueber-uns`)).text()
    expect(german).toContain('<html lang="de"')
    expect(german).toMatch(/<link[^>]* hrefLang="en"[^>]*>/i)
    expect(await (await fetch(`${url}/styleguide/colors`)).text()).toContain('id="color-paper"')
  })

  it('the first block of every page is among them', () => {
    expect(firstOf('index')).toBe(readme)
    expect(firstOf('hono')).toBe(smallest)
    // `npm test` has run its first half, and the contract tests of the examples ask what it starts.
    expect(firstOf('example')).toMatch(/^npm ci && npm start\b.*\n$/)
  })
})

// As `npm init` writes it, but with the line ends of Windows.
const commonjs = '{\r\n  "name": "mine",\r\n  "type": "commonjs",\r\n  "scripts": { "test": "exit 1" }\r\n}\r\n'

interface Folder {
  folder: string
  /** package.json */
  manifest?: string
}
const folders: Folder[] = [
  { folder: 'Straße und Café', manifest: commonjs },
  { folder: 'site', manifest: '{ "type": "module" }' },
  { folder: 'Straße und Café' },
]
const pastes = folders.flatMap((folder) => blocks.map(([name, lines]) => ({ ...folder, name, lines })))
// In the short run, those with both kinds of package.json in the one that writes it, and the other of the README.
const short = [...pastes.slice(0, 2), ...pastes.slice(blocks.length, blocks.length + 1)]

describe('pasted into a folder', () => {
  it.for(isLong ? pastes : short)(
    '$folder, package.json $manifest: $name',
    { timeout: 300_000 },
    async ({ lines, folder: name, manifest }) => {
      const folder = emptyFolder(name)
      if (manifest !== undefined) writeFileSync(join(folder, 'package.json'), manifest)
      const { url } = await paste(folder, lines, registry.url)
      await expectPageWithPicture(url)
      const { type, name: kept } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      expect([type, kept]).toEqual(['module', manifest === commonjs ? 'mine' : undefined])
    },
  )

  it('with the line ends of Windows, into a terminal', { timeout: 300_000 }, async () => {
    const command = ['script', '--quiet', '--return', '--command', 'bash --norc --noprofile', '/dev/null']
    const input = readme.replaceAll('\n', '\r\n')
    const { url } = await paste(emptyFolder(), readme, registry.url, { command, input })
    await expectPageWithPicture(url)
  })
})

// Pinned, as `npx` takes them from the registry.
const managers: [string, string][] = [
  ['pnpm', 'pnpm@10.2.0'],
  ['yarn', 'yarn@1.22.22'],
  ['yarn 4', '@yarnpkg/cli-dist@4.9.1'],
]

describe('with another package manager', () => {
  it.for(isLong ? managers : managers.slice(0, 2))(
    '%s: the smallest complete site',
    { timeout: 300_000 },
    async ([, spec]) => {
      // Of Yarn 4, since sharp does not load its binary by Plug'n'Play.
      const manager = `YARN_NODE_LINKER=node-modules npx --yes ${spec}`
      const lines = readme.replaceAll('npm install', `${manager} install`).replaceAll('npm start', `${manager} start`)
      const { url, output } = await paste(emptyFolder(), lines, registry.url)
      await expectPageWithPicture(url)
      expect(output()).toContain('Open http://localhost:')
    },
  )
})
