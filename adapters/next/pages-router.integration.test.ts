import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { unreachedPages } from './pages-router.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sitewright-next-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function writeSite(files: Record<string, string>): Promise<string> {
  const root = join(folder, crypto.randomUUID())
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
  return root
}

const all = ['document']

describe('in development, by the sources', () => {
  const page = 'export const getStaticProps = () => ({ props: {} })'
  it.each<[string, Record<string, string>, string[]]>([
    ['no pages/', { 'app/page.js': page }, []],
    [
      'special files and an API alone',
      { 'pages/_app.js': '', 'pages/_document.tsx': '', 'pages/_error.js': '', 'pages/api/a.js': '' },
      [],
    ],
    ['error pages with data', { 'pages/404.js': page, 'pages/500.js': page }, []],
    ['a page without data', { 'pages/plain.js': 'export default () => null' }, []],
    [
      'pages',
      { 'pages/index.js': page, 'pages/my-index.mdx': page, 'pages/posts/index.tsx': page, 'pages/größe.js': page },
      ['/', '/gr%C3%B6%C3%9Fe', '/my-index', '/posts'],
    ],
    ['src/pages', { 'src/pages/posts/[slug].js': page }, ['/posts/[slug]']],
  ])('unreachedPages of a site with %s', async (_, files, routes) => {
    expect(unreachedPages(all, [await writeSite(files)])).toEqual(routes)
  })
})

describe('in production, by the manifest of the build', () => {
  const manifest = (dataRoutes: (string | null)[]) => {
    const entry = (dataRoute: string | null) => [crypto.randomUUID(), { srcRoute: null, dataRoute }]
    return JSON.stringify({ version: 4, routes: Object.fromEntries(dataRoutes.map(entry)), dynamicRoutes: {} }, null, 1)
  }
  const data = (page: string) => `/_next/data/T-OiacB4_cahuABca-Zd4${page}.json`
  const unreached = async (tags: string[], dataRoutes: (string | null)[]) => {
    vi.stubEnv('NODE_ENV', 'production')
    const root = await writeSite({ '.next/prerender-manifest.json': manifest(dataRoutes) })
    const routes = unreachedPages(tags, [root, root])
    vi.unstubAllEnvs()
    return routes
  }

  it.each<[string, (string | null)[], string[]]>([
    ['no pages', [], []],
    ['the App Router', ['/index.rsc', '/about.rsc', null], []],
    ['error pages', [data('/404'), data('/de/404'), data('/500')], []],
    ['pages', [data('/index'), data('/posts/[slug]'), data('/posts/a')], ['/', '/posts/[slug]', '/posts/a']],
    ['two languages', [data('/de'), data('/en'), data('/en/404')], ['/de', '/en']],
  ])('unreachedPages of a site with %s', async (_, dataRoutes, routes) => {
    expect(await unreached(all, dataRoutes)).toEqual(routes)
  })

  const pages = ['/index', '/posts/[slug]', '/posts/a', '/docs/[[...path]]', '/de/about'].map(data)
  it.each([
    [['/'], ['/']],
    [['/about'], []],
    [['/de/about'], ['/de/about']],
    [['/posts/a'], ['/posts/[slug]', '/posts/a']],
    [['/de/posts/b'], ['/posts/[slug]']],
    [['/docs'], ['/docs/[[...path]]']],
    [['/postscript', '/'], ['/']],
    [[], []],
    [
      ['/about', 'menu'],
      ['/', '/de/about', '/docs/[[...path]]', '/posts/[slug]', '/posts/a'],
    ],
  ])('the tags %j do not reach %j', async (tags, routes) => {
    expect(await unreached(tags, pages)).toEqual(routes)
  })

  it('without a manifest there are no pages', () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(unreachedPages(all, [folder])).toEqual([])
    vi.unstubAllEnvs()
  })
})
