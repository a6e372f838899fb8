import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { cache, listTexts, readText, watchTexts } from '../../docs/snippets/content-folder.js'

const folder = await mkdtemp(join(tmpdir(), 'content-'))
const write = (name: string, text: string) => writeFile(join(folder, name), text)
await write('a.md', 'a')
await write('b.md', 'b')
const watcher = watchTexts(folder)
afterAll(() => watcher.close())

const page = cache.wrap(async ({ url }) => {
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  const text = name === '' ? (await listTexts(folder)).sort().join() : await readText(folder, name).catch(() => 'none')
  return new Response(text, { headers: { 'Cache-Control': 's-maxage=86400' } })
})
const visit = async (path: string) => {
  const response = await page(new Request(`https://site.test${path}`))
  return { text: await response?.text(), isHit: response?.headers.get('cache-status')?.includes('; hit') }
}
const expectText = (path: string, text: string) =>
  vi.waitFor(async () => expect(await visit(path)).toMatchObject({ text }), 20_000)
const expectHit = (path: string) =>
  vi.waitFor(async () => expect(await visit(path)).toMatchObject({ isHit: true }), 20_000)

it('an edited, added, moved or removed file of a watched folder purges its page and the list, and no other page', async () => {
  for (const path of ['/', '/a.md', '/b.md', '/c.md', '/notes/d.md']) await expectHit(path)
  await write('a.md', 'edited')
  await expectText('/a.md', 'edited')
  expect(await visit('/b.md')).toEqual({ text: 'b', isHit: true })

  await write('c.md', 'c')
  await expectText('/', 'a.md,b.md,c.md')
  await expectText('/c.md', 'c')
  await mkdir(join(folder, 'notes'))
  await write('notes/d.md', 'd')
  await expectText('/', 'a.md,b.md,c.md,notes/d.md')
  await expectText('/notes/d.md', 'd')
  await write('notes/d.md', 'edited')
  await expectText('/notes/d.md', 'edited')

  await write('c.md.new', 'replaced')
  await rename(join(folder, 'c.md.new'), join(folder, 'c.md'))
  await expectText('/c.md', 'replaced')
  await rm(join(folder, 'a.md'))
  await expectText('/', 'b.md,c.md,notes/d.md')
  await expectText('/a.md', 'none')
  expect(await visit('/b.md')).toEqual({ text: 'b', isHit: true })
})
