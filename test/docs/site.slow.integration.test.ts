import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { installPackages } from '../setup/install-packages.js'
import { read, root } from './pages.js'

const docs = fileURLToPath(new URL('docs/', root))
const dist = `${docs}.vitepress/dist`
const external = /^(?:[a-z]+:)?\/\//i

/** Paths of all built pages, as `/guide/images.html`. */
function builtPages(): string[] {
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => `/${file}`)
}

const html = new Map<string, string>()
const attributes = (page: string, name: string) =>
  [...(html.get(page) as string).matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

beforeAll(async () => {
  await installPackages(docs)
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: docs })
  for (const page of builtPages()) html.set(page, readFileSync(dist + page, 'utf8'))
}, 600_000)

describe('npm run docs', () => {
  it('npm run docs writes guides, and a page of the reference for each entry and each function', () => {
    const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { exports: object }
    const names = Object.keys(exports)
      .map((name) => name.slice(2))
      .filter((name) => !['', 'sharp/worker'].includes(name) && !/\.(?:json|css|js)$/.test(name))
    expect(names.length).toBeGreaterThan(15)
    for (const name of names) expect([...html.keys()]).toContain(`/reference/sitewright/${name}/index.html`)
    for (const [page, text] of html) {
      if (/^\/reference\/sitewright\/.*\/index\.html$/.test(page)) expect(text, page).toMatch(/Begin with[\s\S]*?<pre/)
    }
    const options = html.get('/reference/sitewright/cache/functions/createResponseCache.html')
    expect(options).toContain('id="storetimeout"')
    expect([...html.values()].filter((text) => text.includes('__namedParameters'))).toEqual([])
    expect(html.get('/guide/image-caching.html')).toContain('A replaced original')
  })

  it('the documentation has the example site and its styleguide as static files, linked from its first page', () => {
    expect(html.get('/demo/index.html')).toContain('Silver')
    expect(html.get('/demo/styleguide/foundations/colors/index.html')).toContain(
      '<meta name="robots" content="noindex"/>',
    )
    expect(attributes('/index.html', 'href')).toEqual(
      expect.arrayContaining(['/demo/index.html', '/demo/styleguide/index.html']),
    )
  })

  it('every internal link of the documentation leads to a page, and to a heading of that page', () => {
    const broken: string[] = []
    for (const page of html.keys()) {
      if (page === '/404.html') continue
      for (const href of attributes(page, 'href')) {
        if (external.test(href) || /^(?:mailto|data):/.test(href)) continue
        const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://docs.test${page}`)
        const file = decodeURIComponent(pathname.replace(/\/$/, '/index.html'))
        if (!existsSync(dist + file)) broken.push(`${page}: ${href}`)
        const id = decodeURIComponent(hash.slice(1))
        if (id && html.has(file) && !attributes(file, 'id').includes(id)) broken.push(`${page}: ${href}`)
      }
    }
    expect(broken).toEqual([])
  })

  it('the drawings of the documentation are inline, in the fonts of the page', () => {
    expect(html.get('/guide/revalidation.html')).toMatch(/<svg [^>]*class="drawing".*An editor publishes/)
    expect([...html.values()].filter((text) => /<img [^>]*src="[^"]*\/figures\/[^"]*\.svg"/.test(text))).toEqual([])
  })

  it('the documentation shows every snippet: no include is left', () => {
    for (const [page, text] of html)
      expect(text, page).not.toMatch(/@include|&lt;&lt;&lt; @|Code snippet path not found|Invalid code snippet/)
  })

  it('the documentation shows braces: Vue evaluates none of them', () => {
    expect([...html].filter(([, text]) => /<code[^>]*><\/code>/.test(text)).map(([page]) => page)).toEqual([])
  })

  it('the documentation loads nothing from another host', () => {
    const loaded = [...html].flatMap(([page]) => attributes(page, 'src').concat(linked(html.get(page) as string)))
    expect(loaded.filter((address) => external.test(address))).toEqual([])
    const styles = readdirSync(`${dist}/assets`).filter((file) => file.endsWith('.css'))
    for (const file of styles) {
      const urls = [...readFileSync(`${dist}/assets/${file}`, 'utf8').matchAll(/url\(["']?([^"')]+)/g)]
      expect(urls.map(([, url = '']) => url).filter((url) => external.test(url))).toEqual([])
    }
  })
})

// In the words of the trackers of next/image, IPX, Nitro and Storybook.
const symptoms: [id: string, ...searches: string[]][] = [
  ['source-not-allowed', '"url" parameter is not allowed', 'hostname is not configured', 'Forbidden host', '403 image'],
  ['bad-request', '"w" parameter width is not allowed', 'image 400 bad request'],
  ['next-js-every-image-is-404', 'every image 404 next.js'],
  ['custom-image-loader', 'customImageLoader is not a function', 'serverExternalPackages e is not a function'],
  ['production-404', 'images 404 in production'],
  ['standalone', 'sharp standalone docker', '502 docker'],
  ['remote', 'localhost image private ip'],
  ['replaced', 'image not updating after replace', 'stale image'],
  ['colors', 'washed out colors', 'wrong colors'],
  ['blurry', 'blurry image'],
  ['original', 'image not optimized', 'original image is served'],
  ['types', 'svg not shown', 'animated gif', 'heic'],
  ['memory', 'memory leak'],
  ['slow', 'slow first image'],
  ['a-page-is-never-stored', 'page not cached', 'cookie cache miss'],
  ['not-personal', 'signed-in visitor sees public page', 'session undefined'],
  ['somebody-else', 'wrong user page'],
  ['webhook', 'webhook 401', 'webhook nothing happens'],
  ['a-purge-changes-nothing', 'revalidate not working', 'purge old page'],
  ['once-more', 'stale after revalidate'],
  ['instances', 'multiple instances stale', 'pm2 cluster'],
  ['content-tags', 'too many pages purged'],
  ['restart', 'cache empty after restart', 'cache lost after deploy'],
  ['release', 'script 404 after deployment'],
  ['key', 'every instance renders again'],
  ['styleguide-404', 'styleguide 404'],
  ['header', 'site header in styleguide'],
  ['no-colors', 'no colors found'],
  ['no-style', 'styleguide without css'],
  ['blank', 'preview blank', 'iframe blocked X-Frame-Options'],
  ['dark', 'dark mode preview'],
]

describe('the search leads to the cure in two clicks: it is among the first three results', () => {
  let search: (text: string) => { id: string }[]
  beforeAll(async () => {
    const chunks = `${dist}/assets/chunks/`
    const [file] = readdirSync(chunks).filter((name) => name.startsWith('@localSearchIndex'))
    const [{ default: index }, { default: MiniSearch }, { default: config }] = await Promise.all([
      import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(readFileSync(chunks + file, 'utf8'))}`),
      import(/* @vite-ignore */ `${docs}node_modules/minisearch/dist/es/index.js`),
      import(/* @vite-ignore */ `${docs}.vitepress/config.js`),
    ])
    // The same search as in the search box of VitePress.
    const { searchOptions } = config.themeConfig.search.options.miniSearch
    const mini = MiniSearch.loadJSON(index, {
      fields: ['title', 'titles', 'text'],
      storeFields: ['title', 'titles'],
      searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...searchOptions },
    })
    search = (text) => mini.search(text)
  })

  it('the searches cover each symptom of the page on troubleshooting', () => {
    const ids = [...read('docs/troubleshooting.md').matchAll(/^### .+ \{#([\w-]+)\}$/gm)].map(([, id]) => id)
    expect(symptoms.map(([id]) => id)).toEqual(ids)
  })

  it.each(symptoms.flatMap(([id, ...searches]) => searches.map((text) => ({ text, id }))))(
    '$text: #$id',
    ({ text, id }) => {
      const results = search(text).map((result) => result.id)
      expect(results.slice(0, 3)).toContain(`/troubleshooting.html#${id}`)
    },
  )
})

/** Addresses of `<link>`, which the browser loads. */
function linked(text: string): string[] {
  const links = [...text.matchAll(/<link ([^>]*)href="([^"]+)"/g)]
  return links
    .filter(([, before]) => !/rel="(?:canonical|alternate)"/.test(before ?? ''))
    .map(([, , href = '']) => href)
}
