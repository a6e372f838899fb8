import { mkdir, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../adapter/listen.js'
import { exampleUrl } from '../browser/examples.js'
import { areImagesComplete, decodePictures, scrollThrough } from '../browser/in-page.js'
import { views } from './engines.js'
import { background } from './site-colors.js'
import { createTab, type Tab } from './tab.js'
import { complaintsOf, watchSite } from './watched-site.js'

const screenshots = new URL('../screenshots/', import.meta.url).pathname
const article = '/articles/house-cat'
const sitePaths = ['/', '/articles', article, '/about', '/de', '/missing']
const widths = [390, 1280]

let origin: string
let site: Awaited<ReturnType<typeof watchSite>>
let paths: string[]

beforeAll(async () => {
  origin = await exampleUrl('vite-hono')
  site = await watchSite(origin)
  const root = await (await fetch(`${site.url}/styleguide`)).text()
  const styleguide = [...root.matchAll(/href="(\/styleguide[^"#?]*)"/g)].map(([, href]) => href as string)
  paths = [...sitePaths, ...new Set(styleguide), '/styleguide/missing']
  await mkdir(screenshots, { recursive: true })
}, 200_000)

afterAll(() => site?.close())

describe.each(views)('$engine, $scheme', ({ engine, scheme, start }) => {
  let tab: Tab
  beforeAll(async () => {
    tab = createTab(await start(scheme))
  }, 60_000)
  afterAll(() => tab?.close())

  it.each(widths)(
    'no page at %i pixels has an error, a refused resource or content wider than the window',
    async (width) => {
      await tab.resize(width, 800)
      expect(paths.length).toBeGreaterThanOrEqual(20)
      for (const path of paths) {
        site.seen.clear()
        await tab.open(site.url + path)
        await tab.evaluate(scrollThrough)
        await tab.waitFor(areImagesComplete)
        await writeFile(`${screenshots}${engine}-${nameOf(path)}-${width}-${scheme}.png`, await tab.screenshot())

        const isMissing = path.endsWith('/missing')
        // Engines differ in how they report the status of a missing document.
        const complaints = await tab.evaluate(complaintsOf)
        const failed = [...site.seen].filter(([url, { status }]) => status >= 400 && url !== path).map(([url]) => url)
        const problems = {
          path,
          complaints,
          failed,
          status: site.seen.get(path)?.status,
          ...(await tab.evaluate(layoutOf)),
        }
        expect(problems).toEqual({
          path,
          complaints: [],
          failed: [],
          status: isMissing ? 404 : 200,
          width,
          overflow: 0,
          background: background[scheme],
        })
        expect(site.seen.get(path)?.policy, path).toMatch(/^default-src 'self';(?!.*'unsafe)/)
      }
    },
    240_000,
  )

  it.each(widths)(
    'pictures at %i pixels load, and lazy pictures load when they come near the window',
    async (width) => {
      const height = 400 // so low that some are far away
      await tab.resize(width, height)
      for (const path of ['/', '/articles', article]) {
        // From a separate origin, because lazy pictures in the browser's memory are shown immediately.
        const fresh = await watchSite(origin)
        await tab.open(fresh.url + path)
        const far = (await tab.evaluate(imagesOf)).filter(({ isLazy, top }) => isLazy && top > 4 * height)
        if (path !== article) expect(far.length, path).toBeGreaterThan(0)
        expect(far.flatMap(({ candidates }) => candidates).filter((url) => fresh.seen.has(url))).toEqual([])

        await tab.evaluate(scrollThrough)
        await tab.waitFor(areImagesComplete)
        const images = await tab.evaluate(imagesOf)
        const pictures = await tab.evaluate(decodePictures)
        expect(pictures.length, path).toBeGreaterThan(0)
        for (const [index, { src, naturalWidth }] of pictures.entries()) {
          expect(naturalWidth, src).toBeGreaterThan(0)
          expect(images[index]?.candidates).toContain(src.slice(fresh.url.length))
          expect(fresh.seen.get(src.slice(fresh.url.length))?.type, src).toMatch(/^image\/(?:avif|webp)$/)
        }
        await fresh.close()
      }
    },
    60_000,
  )

  it('the watch notices an error, a warning, what the policy refuses and what does not load', async () => {
    const faulty = await listen((request, response) => {
      const isPage = request.url === '/'
      response.writeHead(isPage || request.url === '/page.js' ? 200 : 404, {
        'Content-Type': isPage ? 'text/html' : 'text/javascript',
        'Content-Security-Policy': "default-src 'self'",
      })
      response.end(isPage ? faultyPage : "setTimeout(() => { throw new Error('thrown') }); console.warn('warned')")
    })
    const watched = await watchSite(faulty.url)
    await tab.resize(390, 800)
    await tab.open(watched.url)
    await tab.waitFor(() => (window as unknown as { complaints: string[] }).complaints.length >= 4)
    const complaints = (await tab.evaluate(complaintsOf)).join('\n')
    for (const part of ['thrown', 'warned', /style-src\S* refuses/, /not loaded: img \S+\/missing\.png/])
      expect(complaints).toMatch(part)
    expect((await tab.evaluate(layoutOf)).overflow).toBe(618)
    await watched.close()
    await faulty.close()
  })
})

const faultyPage = `<!doctype html><html><head><title>Faulty</title></head><body style="color: red">
  <img src="/missing.png" alt=""><svg width="1000" height="10"></svg><script src="/page.js"></script>`

function nameOf(path: string): string {
  return path.slice(1).replaceAll('/', '-') || 'home'
}

/** In the page: its width, what of it is outside, and its background. */
function layoutOf() {
  const { scrollWidth, clientWidth } = document.documentElement
  const shell = document.querySelector('.sw-styleguide') ?? document.documentElement
  return {
    width: innerWidth,
    overflow: scrollWidth - clientWidth,
    background: getComputedStyle(shell).backgroundColor,
  }
}

/** In the page: its images, each with the URLs among which a browser chooses in a window of this width. */
function imagesOf(): { isLazy: boolean; top: number; candidates: string[] }[] {
  return [...document.images].map((image) => {
    const sources = [...(image.closest('picture')?.querySelectorAll('source') ?? [])]
    const { srcset } = sources.find(({ media }) => matchMedia(media).matches) ?? image
    return {
      isLazy: image.loading === 'lazy',
      top: image.getBoundingClientRect().top,
      candidates: srcset.split(', ').map((candidate) => candidate.split(' ')[0] ?? ''),
    }
  })
}
