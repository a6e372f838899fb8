import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cacheStatusOf, parse, requestOf, sendRaw, toOwn } from '../in-front-of/compare.js'
import { secret, startSite } from './start.js'

// A site in CommonJS, with Pug, sessions and CSRF tokens, whose server is given to `inFrontOf`, as docs/start/express.md says.

const here = import.meta.dirname
export const site = join(here, 'express')
const snippets = join(here, '../../docs/snippets/existing')

beforeAll(() => {
  for (const name of ['server', 'styleguide']) copyFileSync(join(snippets, `pug-${name}.cjs`), join(site, `${name}.js`))
})

const mask = [/(?<=connect\.sid=)[^;]*/g, /(?<=name="_csrf" value=")[^"]*/g]

/** Compares the site with and without the cache, with a version of Express. */
export const testSite = (name: string, NODE_OPTIONS = '') =>
  describe(`a site of ${name}`, () => {
    let plain: Awaited<ReturnType<typeof startSite>>
    let cached: typeof plain
    beforeAll(async () => {
      const env = { NODE_OPTIONS, STYLEGUIDE_ENABLED: 'true' }
      ;[plain, cached] = await Promise.all([startSite(site, 'plain.js', env), startSite(site, 'server.js', env)])
    })
    afterAll(() => Promise.all([plain?.close(), cached?.close()]))

    /** A visitor of both sites, who keeps cookies. Their answers are the same. */
    function createVisitor() {
      const servers = [plain, cached].map(({ url }) => ({ url, cookie: '', token: '' }))
      return async (path: string, { method = 'GET', text = '', fields = [] as string[] } = {}) => {
        const answers: string[] = []
        for (const server of servers) {
          const body = text && new URLSearchParams({ text, _csrf: server.token }).toString()
          const type = 'Content-Type: application/x-www-form-urlencoded'
          const form = text ? [type, `Content-Length: ${body.length}`] : []
          const cookie = server.cookie ? [`Cookie: connect.sid=${server.cookie}`] : []
          const raw = await sendRaw(server.url, requestOf(path, [...form, ...cookie, ...fields], method, body))
          server.cookie = /connect\.sid=([^;]*)/.exec(raw)?.[1] ?? server.cookie
          server.token = /name="_csrf" value="([^"]*)/.exec(raw)?.[1] ?? server.token
          answers.push(raw)
        }
        const [before = '', after = ''] = answers
        const cacheStatus = cacheStatusOf(after)
        const isOwn = !/^$|; (?:hit|stored|collapsed)/.test(cacheStatus)
        expect(parse(after, mask), path).toEqual(parse(isOwn ? toOwn(before) : before, mask))
        return { ...parse(after, mask), cacheStatus }
      }
    }

    it('pages, files, redirects and errors are as without the cache, and pages for all are stored', async () => {
      const visit = createVisitor()
      for (let count = 0; count < 3; count++) {
        for (const path of ['/', '/json', '/old', '/missing', '/site.css', '/broken']) {
          const { cacheStatus } = await visit(path)
          expect(cacheStatus.includes('; hit'), path).toBe(count > 0 && ['/', '/json'].includes(path))
          await visit(path, { method: 'HEAD' })
          await visit(path, { fields: ['Accept-Encoding: gzip'] })
        }
      }
    })

    it('each visitor has a session and a token, and a form purges the page that it leads to', async () => {
      for (const name of ['Ann', 'Bob']) {
        const visit = createVisitor()
        for (let visits = 1; visits < 3; visits++) {
          const page = await visit('/contact')
          expect(page.body).toContain(`${visits} visits`)
          expect(page.fields.some(([field]) => field === 'set-cookie')).toBe(visits === 1)
        }
        const sent = await visit('/contact', { method: 'POST', text: name })
        expect(sent.status).toContain('303')
        expect((await createVisitor()('/')).body).toMatch(new RegExp(`letters: [\\w,]*${name}`))
      }
      expect((await createVisitor()('/contact', { method: 'POST', text: 'forged' })).status).toContain('403')
    })

    it('a purge, pictures and a styleguide with a component of Pug are there beside it', async () => {
      const headers = { Authorization: `Bearer ${secret}` }
      const answer = await fetch(`${cached.url}/api/revalidate?path=/`, { method: 'POST', headers })
      expect(await answer.json()).toEqual({ revalidated: true, tags: ['/'] })
      expect((await createVisitor()('/')).cacheStatus).toContain('; stored')
      const source = Buffer.from('/media/march-pastoral.jpg').toString('base64url')
      const picture = await fetch(`${cached.url}/_image/${source}?width=640`, { headers: { Accept: 'image/avif' } })
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/avif'])
      const page = await (await fetch(`${cached.url}/styleguide/card/plain`)).text()
      expect(page).toContain('<h5 class="card-title">First light</h5>')
      expect(page).toMatch(/"\/sitewright\/styleguide.css".*"\/bootstrap.css".*"\/site.css"/s)
      expect(cached.readLog()).not.toMatch(/the handler reads|failed/)
    })
  })
