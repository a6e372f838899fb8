import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shownPart } from '../../adapters/sharp/testing/crops.js'
import { encodeSource } from '../../core/image/url.js'
import { ask, type Sent } from './ask.js'
import { picture, serviceKey, startService } from './service.js'
import { copySite } from './site-folder.js'
import { type RunningExample, startExample } from './start.js'

const secret = 'between-the-cms-and-us'
const safe = { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" }
const image = (source: string, width: number | string = 640) => `/_image/${encodeSource(source)}?width=${width}`

/** Tests what each example answers over HTTP. */
export function testExamples(names: readonly string[]): void {
  let service: Awaited<ReturnType<typeof startService>>
  let folder: string

  beforeAll(async () => {
    service = await startService()
    folder = await copySite()
  })

  afterAll(async () => {
    await service?.close()
    await rm(folder, { recursive: true, force: true })
  })

  describe.each(names)('%s', (name) => {
    let example: RunningExample

    beforeAll(async () => {
      example = await startExample(name, {
        IMAGE_PROXY_URL: service.url,
        IMAGE_PROXY_KEY: serviceKey.key,
        IMAGE_PROXY_SALT: serviceKey.salt,
        IMAGE_PROXY_TIMEOUT: '1500',
        REVALIDATE_SECRET: secret,
        STYLEGUIDE_ENABLED: 'true',
        SITE_FOLDER: folder,
      })
    }, 240_000)

    afterAll(() => example?.close())

    describe('image proxy', () => {
      const fine = image('/media/fine.jpg')
      const table: [string, string, number, string, Sent?][] = [
        ['another method', fine, 405, 'Method not allowed', { method: 'POST' }],
        ['no source', '/_image?width=640', 400, 'Missing required parameters'],
        ['no width', `/_image/${encodeSource('/media/fine.jpg')}`, 400, 'Missing required parameters'],
        ['an empty width', image('/media/fine.jpg', ''), 400, 'Missing required parameters'],
        ['a width that is not allowed', image('/media/fine.jpg', 641), 400, 'Invalid width'],
        ['a width that is not in plain digits', image('/media/fine.jpg', '6.4e2'), 400, 'Invalid width'],
        ['a width twice', `${fine}&width=640`, 400, 'Invalid width'],
        ['a ratio that is not in the list', `${fine}&ratio=5:4`, 400, 'Invalid ratio'],
        ['a ratio of 0:0', `${fine}&ratio=0:0`, 400, 'Invalid ratio'],
        ['a ratio twice', `${fine}&ratio=1:1&ratio=1:1`, 400, 'Invalid ratio'],
        ['a focus beyond the image', `${fine}&ratio=1:1&focus=11,3`, 400, 'Invalid focus'],
        ['half a focus', `${fine}&ratio=1:1&focus=3`, 400, 'Invalid focus'],
        ['a focus without a ratio', `${fine}&focus=3,7`, 400, 'Invalid focus'],
        ['a format', `${fine}&f=bmp`, 400, 'Unknown parameters'],
        ['a source that is not base64url', '/_image/!?width=640', 400, 'Invalid source'],
        ['padded base64', '/_image/L2E%3D?width=640', 400, 'Invalid source'],
        ['a control character', image('/media/a\n.jpg'), 400, 'Invalid source'],
        ['over 4,096 bytes', image(`/media/${'a'.repeat(4096)}`), 400, 'Invalid source'],
        ['another folder', image('/secret/a.jpg'), 403, 'Source not allowed'],
        ['a way out of the folder', image('/media/../secret/a.jpg'), 403, 'Source not allowed'],
        ['an encoded way out', image('/media/%252e%252e/secret/a.jpg'), 403, 'Source not allowed'],
        ['another host', image('https://evil.test/media/a.jpg'), 403, 'Source not allowed'],
        ['the service says 404', image('/media/404.jpg'), 404, 'Image not found'],
        ['the service says 422', image('/media/422.jpg'), 422, 'Image could not be processed'],
        ['the service sends HTML', image('/media/html.jpg'), 422, 'Image could not be processed'],
        ['the service says 500', image('/media/500.jpg'), 502, 'Image service failed'],
        ['the service redirects', image('/media/redirect.jpg'), 502, 'Image service failed'],
        ['the service resets', image('/media/reset.jpg'), 502, 'Image service failed'],
        ['the service says 429', image('/media/429.jpg'), 503, 'Image service is busy'],
        ['the service says 503', image('/media/503.jpg'), 503, 'Image service is busy'],
      ]

      it.each(table)('%s', async (_, path, status, error, sent) => {
        const response = await ask(example.url, path, sent)
        expect([response.status, response.body.toString()]).toEqual([status, JSON.stringify({ error })])
        expect(response.headers).toMatchObject({
          'content-type': expect.stringMatching(/^application\/json/),
          'cache-control': 'no-store',
          ...safe,
          ...(status === 405 && { allow: 'GET, HEAD' }),
          ...(path === image('/media/429.jpg') && { 'retry-after': '7' }),
        })
      })

      it.concurrent.each(['hang', 'stall'])('the service does not answer in time: %s', async (way) => {
        const response = await ask(example.url, image(`/media/${way}.jpg`))
        expect([response.status, response.body.toString()]).toEqual([504, '{"error":"Image service timed out"}'])
      })

      it('a picture has the relevant headers of the service, and the service receives no data of the visitor', async () => {
        service.seen.length = 0
        const headers = {
          Accept: 'image/avif',
          Cookie: 'session=1',
          Authorization: 'Bearer x',
          'X-Forwarded-For': '1.1.1.1',
        }
        const response = await ask(example.url, fine, { headers })
        expect(response.status).toBe(200)
        expect(response.body.equals(picture)).toBe(true)
        expect(response.headers).toMatchObject({
          'content-type': 'image/avif',
          'cache-control': 'public, max-age=300, stale-if-error=86400',
          'cache-tag': expect.stringMatching(/^\/media\//),
          etag: expect.stringMatching(/^"avif:[\w-]{22}"$/),
          vary: expect.stringContaining('Accept'),
          ...safe,
        })
        expect(response.headers).not.toHaveProperty('set-cookie')
        expect(service.seen).toHaveLength(1)
        expect(service.seen[0]).toMatchObject({ accept: 'image/avif' })
        for (const name of ['cookie', 'authorization', 'x-forwarded-for'])
          expect(service.seen[0]).not.toHaveProperty(name)
      })

      it('a crop has the ratio and the focus of its URL', async () => {
        const path = `${image('/media/gradient.png')}&ratio=1:1&focus=8,5`
        const response = await ask(example.url, path)
        expect([response.status, response.headers['content-type']]).toEqual([200, 'image/png'])
        const { width, height, left } = await shownPart(response.body, { width: 240, height: 160 })
        expect([width, height]).toEqual([160, 160])
        expect(Math.abs(left - 80)).toBeLessThan(1)
      })

      it('HEAD of a picture has the same headers and no body', async () => {
        const response = await ask(example.url, fine, { method: 'HEAD', headers: { Accept: 'image/avif' } })
        expect([response.status, response.headers['content-type'], response.body.length]).toEqual([
          200,
          'image/avif',
          0,
        ])
      })

      it('a client that has the picture gets a 304', async () => {
        const { etag = '' } = (await ask(example.url, fine)).headers
        const response = await ask(example.url, fine, { headers: { 'If-None-Match': String(etag) } })
        expect([response.status, response.headers.etag, response.body.length]).toEqual([304, etag, 0])
      })

      it('a picture whose name has special characters is found', async () => {
        expect((await ask(example.url, image('/media/gr%C3%B6%C3%9Fe%202.jpg'))).status).toBe(200)
        expect((await ask(example.url, image('/media/what%3F.jpg'))).status).toBe(400)
      })

      it('the log quotes the error of the image service', async () => {
        await ask(example.url, image('/media/404.jpg'))
        await expect.poll(() => example.output()).toMatch(/Image not found[\s\S]*Source is unreachable/)
      })
    })

    describe('revalidation', () => {
      const path = '/api/revalidate'
      const post = (authorization?: string): Sent => ({
        method: 'POST',
        headers: authorization === undefined ? {} : { Authorization: authorization },
      })
      const wrong = '{"error":"Invalid token","revalidated":false}'
      const table: [string, Sent, number, string][] = [
        ['no token', post(), 401, wrong],
        ['an empty header', post(''), 401, wrong],
        ['Bearer alone', post('Bearer'), 401, wrong],
        ['Basic', post(`Basic ${Buffer.from(`a:${secret}`).toString('base64')}`), 401, wrong],
        ['another letter case', post(`Bearer ${secret.toUpperCase()}`), 401, wrong],
        ['a prefix of the secret', post(`Bearer ${secret.slice(0, -1)}`), 401, wrong],
        ['the secret and more', post(`Bearer ${secret}x`), 401, wrong],
        [
          'another method',
          { ...post(`Bearer ${secret}`), method: 'GET' },
          405,
          '{"error":"Method not allowed","revalidated":false}',
        ],
        ['the right token', post(`Bearer ${secret}`), 200, '{"revalidated":true}'],
        ['the scheme in another letter case', post(`bEARER ${secret}`), 200, '{"revalidated":true}'],
      ]

      it.each(table)('%s', async (_, sent, status, body) => {
        const response = await ask(example.url, path, sent)
        expect([response.status, response.body.toString()]).toEqual([status, body])
        expect(response.headers).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          ...(status === 401 && { 'www-authenticate': 'Bearer' }),
          ...(status === 405 && { allow: 'POST' }),
        })
      })

      it('the log has the warning and the reason, never the token', async () => {
        await ask(example.url, path, post('Bearer a-token-to-look-for'))
        await expect.poll(() => example.output()).toMatch(/Invalid token for revalidate request[\s\S]*wrong token/)
        expect(example.output()).not.toContain('a-token-to-look-for')
      })

      it('an editor sees the new text after the revalidation, and not before', async () => {
        const file = join(folder, 'content', 'en', 'about.md')
        const text = await readFile(file, 'utf8')
        const about = async () => (await ask(example.url, '/about')).body.toString()
        // Unique, because a page that Next.js rendered in an earlier run stays in its build.
        const sentence = `Published by a test on ${name} at ${Date.now()}.`
        expect(await about()).not.toContain(sentence)
        await writeFile(file, `${text}\n\n${sentence}\n`)
        expect(await about()).not.toContain(sentence)
        expect((await ask(example.url, path, post(`Bearer ${secret}`))).status).toBe(200)
        await expect.poll(about, { timeout: 5_000 }).toContain(sentence)
        await writeFile(file, text)
      })

      if (name === 'example-next') {
        it('a push with an edit of one article reaches the pages that show it', async () => {
          const [article, title] = ['content/en/articles/house-cat.md', `Pushed at ${Date.now()}`]
          // The neighbours of the article link to it by its title.
          const neighbours = ['/articles/black-canyon', '/articles/march-pastoral']
          const shown = ['/', '/articles', '/articles/house-cat', ...neighbours]
          const otherPages = [
            '/about',
            '/articles/airplane',
            '/articles/acanthus-mollis',
            '/de',
            '/de/beitraege',
            '/de/beitraege/hauskatze',
          ]
          const readPage = async (page: string) => {
            const { headers, body } = await ask(example.url, page)
            return { status: headers['x-nextjs-cache'], text: body.toString() }
          }
          for (const page of [...shown, ...otherPages]) {
            await expect.poll(async () => (await readPage(page)).status).toBe('HIT')
          }
          const file = join(folder, article)
          const text = await readFile(file, 'utf8')
          await writeFile(file, text.replace(/^title: .*$/m, `title: ${title}`))
          const body = JSON.stringify({ commits: [{ modified: [article] }] })
          const response = await ask(example.url, path, { ...post(`Bearer ${secret}`), body })
          expect(JSON.parse(response.body.toString())).toEqual({ revalidated: true, tags: [article, 'any-content'] })
          const renewed: string[] = []
          for (const page of [...shown, ...otherPages]) if ((await readPage(page)).status !== 'HIT') renewed.push(page)
          expect(renewed).toEqual(shown)
          for (const page of shown) {
            await expect.poll(async () => (await readPage(page)).text, { timeout: 5_000 }).toContain(title)
          }
          await writeFile(file, text)
        })
      }
    })

    // Next.js has tags of its own.
    if (name !== 'example-next') {
      describe('an edit of one article', () => {
        const shown = ['/', '/articles', '/articles/house-cat', '/de/beitraege/hauskatze']
        const neighbours = ['/articles/black-canyon', '/articles/march-pastoral']

        it('an edit of one article reaches the pages that show it, and no other page', async () => {
          const file = join(folder, 'content', 'en', 'articles', 'house-cat.md')
          const text = await readFile(file, 'utf8')
          const sitemap = (await ask(example.url, '/sitemap.xml')).body.toString()
          const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
          const visit = async () => {
            const pages = new Map<string, Buffer>()
            const rendered: string[] = []
            for (const path of paths) {
              const { headers, body } = await ask(example.url, path)
              pages.set(path, body)
              if (!String(headers['cache-status']).includes('; hit')) rendered.push(path)
            }
            return { pages, rendered }
          }
          await visit()
          const { pages: pagesBefore, rendered } = await visit()
          expect(rendered).toEqual([])
          await writeFile(file, text.replace('title: ', 'title: Renamed, ').replace(/$/, '\n\nPublished by a test.\n'))
          const push = JSON.stringify({ commits: [{ modified: ['content/en/articles/house-cat.md'] }] })
          const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
          const answer = await ask(example.url, '/api/revalidate', { method: 'POST', headers, body: push })
          const tags = ['content/en/articles/house-cat.md', 'any-content']
          expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([200, { revalidated: true, tags }])
          const visitAfter = await visit()
          // All of these pages read the article: the home page and the list show it, its neighbours link to it by its
          // title, and its translation by its path. A purge reaches each page that has read the article, even if the
          // page looks the same.
          expect(visitAfter.rendered.sort()).toEqual([...shown, ...neighbours].sort())
          const changed = paths.filter(
            (each) => !pagesBefore.get(each)?.equals(visitAfter.pages.get(each) ?? Buffer.alloc(0)),
          )
          expect(changed.sort()).toEqual([...shown, ...neighbours].filter((each) => !each.startsWith('/de')).sort())
          await writeFile(file, text)
          await ask(example.url, '/api/revalidate', { method: 'POST', headers, body: push })
        })
      })
    }

    describe('styleguide', () => {
      it('the styleguide is on, and is not indexed by search engines', async () => {
        const response = await ask(example.url, '/styleguide')
        expect(response.status).toBe(200)
        expect(response.headers['x-robots-tag']).toBe('noindex')
        expect(response.body.toString()).toContain('Styleguide')
      })

      it.each(['/styleguide/foundations/colors', '/styleguide/foundations/colors/'])(
        '%s shows its page of the styleguide',
        async (path) => {
          let response = await ask(example.url, path)
          // Next.js redirects every trailing slash.
          if (response.status === 308) response = await ask(example.url, String(response.headers.location))
          expect(response.status).toBe(200)
          expect(response.body.toString()).toMatch(/<h1[^>]*>Colors<\/h1>/)
        },
      )

      it('/styleguide/index.json follows the schema in the package, and its frames exist', async () => {
        const index = JSON.parse((await ask(example.url, '/styleguide/index.json')).body.toString())
        const validate = new Ajv().compile(createRequire(import.meta.url)('sitewright/styleguide-index.schema.json'))
        validate(index)
        expect(validate.errors).toBe(null)
        expect(index.components.map(({ title }: { title: string }) => title)).toContain('Card')
        for (const { variants } of index.components)
          expect((await ask(example.url, variants[0].href)).status, variants[0].href).toBe(200)
      })

      it.each(['nowhere', 'foundations/colors/nowhere', '__proto__', 'constructor', '%2e%2e%2fcolors', '%E2%98'])(
        '/styleguide/%s is not found',
        async (slug) => {
          const response = await ask(example.url, `/styleguide/${slug}`)
          expect(response.status).toBeGreaterThanOrEqual(400)
          expect(response.body.toString()).not.toMatch(/<h1[^>]*>Colors<\/h1>/)
        },
      )
    })

    describe('localized pages', () => {
      it.each([
        ['/', 'en'],
        ['/articles', 'en'],
        ['/articles/house-cat', 'en'],
        ['/de', 'de'],
        ['/de/beitraege', 'de'],
        ['/de/beitraege/hauskatze', 'de'],
        ['/de/ueber-uns', 'de'],
      ])('%s is in the language %s', async (path, language) => {
        const response = await ask(example.url, path)
        expect(response.status).toBe(200)
        expect(response.body.toString()).toMatch(new RegExp(`<html[^>]* lang="${language}"`))
      })

      it.each(['/nowhere', '/articles/nowhere', '/de/nowhere', '/articles/house-cat/more'])(
        '%s is not found',
        async (path) => {
          const response = await ask(example.url, path)
          expect(response.status).toBe(404)
          // Next.js sends the page of notFound() as data, which its script renders.
          const title = path.startsWith('/de') ? 'Hier wohnt niemand mehr' : 'Nobody lives here any more'
          expect(response.body.toString()).toContain(title)
        },
      )

      const german = { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' }
      const chosen = { ...german, Cookie: 'sitewright-language=en' }
      it.each<[string, string, Record<string, string>, number, string | undefined]>([
        ['the front page leads to the language of the browser', '/', german, 307, '/de'],
        ['the front page prefers the language that the visitor chose', '/', chosen, 200, undefined],
        [
          'the front page shows the default for a language that the site does not have',
          '/',
          { 'Accept-Language': 'fr' },
          200,
          undefined,
        ],
        ['a path of the default language has no prefix', '/en/about', {}, 308, '/about'],
        ['a path is translated', '/de/about?a=1', {}, 308, '/de/ueber-uns?a=1'],
        ['the language of a path may be in any letter case', '/DE/ueber-uns', {}, 308, '/de/ueber-uns'],
        ['a page that is already in its language is not redirected', '/about', german, 200, undefined],
      ])('%s: %s', async (_, path, headers, status, location) => {
        const response = await ask(example.url, path, { headers })
        expect([response.status, response.headers.location]).toEqual([status, location])
        // Next.js replaces the Vary of a page that it has in its cache.
        const varies = path === '/' && (status === 307 || name !== 'example-next')
        if (varies) expect(response.headers.vary).toMatch(/Accept-Language, Cookie/i)
      })

      it('the language switch leads to the translation, and remembers the choice', async () => {
        const page = (await ask(example.url, '/de/beitraege/hauskatze')).body.toString()
        const links = [...page.matchAll(/<a href="([^"]*)" lang="(\w+)" hrefLang="\w+"( aria-current="true")?>/g)]
        expect(links.slice(0, 2).map(([, href, language, current]) => [href, language, current])).toEqual([
          ['/articles/house-cat?set-language=en', 'en', undefined],
          ['/de/beitraege/hauskatze?set-language=de', 'de', ' aria-current="true"'],
        ])
        const response = await ask(example.url, links[0]?.[1] ?? '', { headers: german })
        expect([response.status, response.headers.location]).toEqual([307, '/articles/house-cat'])
        expect(response.headers['set-cookie']).toEqual([expect.stringMatching(/^sitewright-language=en; Path=\/;/)])
      })

      it('the sitemap lists every page in each language', async () => {
        const response = await ask(example.url, '/sitemap.xml')
        const xml = response.body.toString()
        expect([response.status, response.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
        expect(xml.split('<loc>').length - 1).toBe(2 * (3 + 9))
        const [cat] = xml.match(/<loc>[^<]*\/de\/beitraege\/hauskatze<\/loc>[\s\S]*?<\/url>/) ?? []
        expect(cat).toContain(`hreflang="en" href="${example.url}/articles/house-cat"/>`)
      })

      it('a purge by path reaches the page in all languages', async () => {
        const headers = { Authorization: `Bearer ${secret}` }
        const response = await ask(example.url, '/api/revalidate?path=/articles/house-cat', { method: 'POST', headers })
        expect(JSON.parse(response.body.toString())).toEqual({
          revalidated: true,
          tags: expect.arrayContaining(['/articles/house-cat', '/de/beitraege/hauskatze']),
        })
      })

      const agent = { Accept: 'text/markdown, text/html, */*' }
      const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

      it.each([
        ['/', '/index.md', 'en', 'Nine old photographs, looked at slowly'],
        ['/articles/house-cat', '/articles/house-cat.md', 'en', 'A cat, twenty-four times'],
        ['/de/beitraege/hauskatze', '/de/beitraege/hauskatze.md', 'de', ''],
      ])('%s has its Markdown at %s, and for an agent at its own address', async (path, own, language, title) => {
        for (const [address, headers] of Object.entries({ [own]: browser, [path]: agent })) {
          const response = await ask(example.url, address, { headers })
          if (address === path) expect(response.headers.vary).toMatch(/\bAccept(?:,|$)/)
          if (address === path && name === 'example-next') {
            expect([response.status, response.headers.location]).toEqual([307, own])
            expect(response.headers['cache-control']).toBe('no-store')
            continue
          }
          expect([response.status, response.body.toString()]).toEqual([200, expect.stringContaining(`# ${title}`)])
          expect(response.headers).toMatchObject({
            'content-type': 'text/markdown; charset=utf-8',
            'content-language': language,
            'content-location': own,
            'cache-control': expect.stringMatching(address === own ? /s-maxage/ : /^private/),
            link: `<${path}>; rel="canonical"`,
          })
        }
        const page = await ask(example.url, path, { headers: browser })
        expect(page.headers['content-type']).toMatch(/^text\/html/)
        expect(page.headers.link).toContain(`<${own}>; rel="alternate"; type="text/markdown"`)
        // Next.js replaces the Vary of a page that it has in its cache.
        if (name !== 'example-next') expect(page.headers.vary).toMatch(/\bAccept(?:,|$)/)
      })

      it('one push renews a page and its Markdown', async () => {
        const file = 'content/en/articles/airplane.md'
        const text = await readFile(join(folder, file), 'utf8')
        const title = `Landed at ${Date.now()}`
        // Follows the redirect of Next.js.
        const read = async (headers: Record<string, string>) =>
          (await fetch(`${example.url}/articles/airplane`, { headers })).text()
        const both = () => Promise.all([read(agent), read(browser)].reverse())
        expect((await both()).join()).not.toContain(title)
        await writeFile(join(folder, file), text.replace(/^title: .*$/m, `title: ${title}`))
        const body = JSON.stringify({ commits: [{ modified: [file] }] })
        const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
        expect((await ask(example.url, '/api/revalidate', { method: 'POST', headers, body })).status).toBe(200)
        await expect
          .poll(both)
          .toEqual([expect.stringContaining(`${title}</h1>`), expect.stringContaining(`# ${title}\n`)])
        await writeFile(join(folder, file), text)
        await ask(example.url, '/api/revalidate', { method: 'POST', headers, body })
        // Next.js serves each old page once more.
        const original = expect.not.stringContaining(title)
        await expect.poll(both).toEqual([original, original])
      })

      it('llms.txt lists the Markdown of every page', async () => {
        const text = (await ask(example.url, '/llms.txt')).body.toString()
        expect(text).toMatch(/^# Silver & Salt\n\n> /)
        const links = [...text.matchAll(/^- \[.*\]\((.*)\): /gm)].map(([, url = '']) => new URL(url).pathname)
        expect(links).toHaveLength(3 + 9)
        for (const path of links) expect((await ask(example.url, path)).status).toBe(200)
      })

      it('`npx sitewright check` finds no fault', async () => {
        const { stdout } = await promisify(execFile)('node', ['dist/cli/index.js', 'check', example.url])
        expect(stdout).toBe('24 pages, 72 alternates: 0 faults\n')
      })
    })
  })

  describe.each(names)('%s with nothing but its defaults', (name) => {
    let example: RunningExample

    beforeAll(async () => {
      example = await startExample(name)
    }, 240_000)

    afterAll(() => example?.close())

    it('an example with its defaults resizes images itself, as AVIF or WebP', async () => {
      for (const type of ['image/avif', 'image/webp']) {
        const response = await ask(example.url, image('/media/black-canyon.jpg'), {
          headers: { Accept: `${type},*/*` },
        })
        expect([response.status, response.headers['content-type']]).toEqual([200, type])
      }
    })

    it('an example with its defaults has no styleguide, and no revalidation with a secret that could be guessed', async () => {
      expect((await ask(example.url, '/styleguide')).status).toBe(404)
      const response = await ask(example.url, '/api/revalidate', {
        method: 'POST',
        headers: { Authorization: 'Bearer ' },
      })
      expect([response.status, response.body.toString()]).toEqual([
        500,
        '{"error":"Revalidation is not configured","revalidated":false}',
      ])
    })
  })

  describe.each(names)('%s with only some of the image service’s settings', (name) => {
    it('an example with incomplete settings of the image service answers 500 to image requests', async () => {
      const example = await startExample(name, { IMAGE_PROXY_URL: service.url })
      const response = await ask(example.url, image('/media/fine.jpg'))
      expect([response.status, response.body.toString()]).toEqual([500, '{"error":"Image Proxy is not configured"}'])
      await example.close()
    }, 240_000)
  })
}
