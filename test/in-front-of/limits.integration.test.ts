import { rateLimit } from 'express-rate-limit'
import { describe, expect, it } from 'vitest'
import { versions } from '../../adapters/express/testing/cached-app.js'
import { type Site, serveBoth } from './compare.js'

const forAll = { 'Cache-Control': 'public, s-maxage=60' }

describe.each(versions)('an app of %s', (_, create) => {
  it('a limit of requests in the app refuses no stored page, and a visitor over the limit as without the cache', async () => {
    const routes: Site['routes'] = (app) => {
      app.set('trust proxy', 'loopback')
      app.use(rateLimit({ windowMs: 60_000, limit: 10, legacyHeaders: false }))
      app.get(
        '/{:page}'.replace('{:page}', create === versions[0]?.[1] ? '{:page}' : ':page?'),
        (_req, res) => void res.set(forAll).send('page'),
      )
    }
    const { plain, cached } = await serveBoth(create, { routes })
    const visit = async (url: string, path: string, address: string, headers = {}) => {
      const response = await fetch(url + path, { headers: { 'X-Forwarded-For': address, ...headers } })
      await response.text()
      return `${response.status} ${/first|stored|hit|cookie/.exec(response.headers.get('cache-status') ?? '')}`
    }
    const pages = Array.from({ length: 200 }, (_, page) => page)
    for (const [visitor, expected] of ['200 first', '200 stored', '200 hit'].entries()) {
      const seen = await Promise.all(pages.map((page) => visit(cached.url, `/${page}`, `10.${visitor}.0.${page}`)))
      expect(new Set(seen)).toEqual(new Set([expected]))
    }
    const statuses = async (url: string) => {
      const seen: string[] = []
      for (let page = 0; page < 15; page++)
        seen.push((await visit(url, `/${page}`, '10.9.0.9', { Cookie: 'session=1' })).slice(0, 3))
      return seen
    }
    const expected = await statuses(plain.url)
    expect(expected.filter((status) => status === '429')).toHaveLength(5)
    expect(await statuses(cached.url)).toEqual(expected)
    // He gets what is stored, and no page that is unknown.
    expect(await visit(cached.url, '/1', '10.9.0.9')).toBe('200 hit')
    expect(await visit(cached.url, '/unknown', '10.9.0.9')).toMatch(/^429/)
    expect(await visit(cached.url, '/unknown', '10.1.0.1')).toBe('200 first')
  })
})
