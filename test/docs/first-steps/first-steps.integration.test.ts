import { execFileSync } from 'node:child_process'
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
const blocks: [string, string][] = [
  ['README.md, the smallest complete site', readme],
  ['README.md, the smallest server', smallest],
  ...['hono', 'express', 'node', 'others', 'next'].map((page): [string, string] => [page, firstOf(page)]),
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

  it('the first block of every page is among them', () => {
    expect(firstOf('index')).toBe(readme)
    // `npm test` has run its first half, and the contract tests of the examples ask what it starts.
    expect(firstOf('example')).toMatch(/^npm ci && npm start\b.*\n$/)
  })
})

const commonjs = '{\r\n  "name": "mine",\r\n  "type": "commonjs",\r\n  "scripts": { "test": "exit 1" }\r\n}\r\n'
const folders: [string, string, string | undefined][] = [
  ['of a package with "type": "commonjs", with the line ends of Windows', 'site', commonjs],
  ['of a package with "type": "module"', 'site', '{ "type": "module" }'],
  ['with a space and an umlaut', 'Straße und Café', undefined],
]
const inFolders = (isLong ? blocks : blocks.slice(0, 2)).flatMap(([name, lines]) =>
  folders.map((folder) => ({ name, lines, folder })),
)

describe('pasted into a folder', () => {
  it.for(inFolders)('$folder.0: $name', { timeout: 300_000 }, async ({ lines, folder: [, name, manifest] }) => {
    const folder = emptyFolder(name)
    if (manifest !== undefined) writeFileSync(join(folder, 'package.json'), manifest)
    const { url } = await paste(folder, lines, registry.url)
    await expectPageWithPicture(url)
    if (manifest?.includes('mine'))
      expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name).toBe('mine')
  })
})
