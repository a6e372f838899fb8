import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import express from 'express'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expressMiddleware } from '../../adapters/express/index.js'
import { honoMiddleware } from '../../adapters/hono/index.js'
import { createResponseCache, type Handler, memoryStore } from '../../core/cache/index.js'
import { createMarkdown, createRoutes, markdownLink, negotiateMarkdown } from '../../core/localized-pages/index.js'
import { listen } from '../adapter/listen.js'
import { startNginx } from './nginx.js'

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'
const agent = 'text/markdown, text/html, */*'
const headers = { 'Cache-Control': 'public, max-age=0, s-maxage=600', 'CDN-Cache-Control': 'max-age=600' }

function createSite() {
  const routes = createRoutes({ languages: ['en', 'de'], default: 'en', prefix: 'except-default' })
  const render = () => new Response('# Boats', { headers })
  const markdown = createMarkdown(routes, render)
  const html = routes.handler(({ path }) => {
    const ownHeaders = { ...headers, 'Content-Type': 'text/html', Link: markdownLink(path) }
    return new Response(`<h1>Boats</h1>`, { headers: ownHeaders })
  })
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1024 ** 2 }) })
  return negotiateMarkdown(cache.wrap(async (request) => (await markdown(request)) ?? html(request)))
}

const servers: Record<string, (site: Handler) => Promise<{ url: string; close(): Promise<void> }>> = {
  async Hono(site) {
    const app = new Hono().use(honoMiddleware(site))
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    return { url: `http://127.0.0.1:${port}`, close: async () => void server.close() }
  },
  Express: (site) => listen(createServer(express().use(expressMiddleware(site)))),
}

// Cloudflare ignores Vary, except for images. So does the second nginx.
const caches = { 'that obeys Vary': '', 'that ignores Vary, as Cloudflare does': 'proxy_ignore_headers Vary;' }

describe.each(Object.keys(servers))('%s', (name) => {
  describe.each(Object.entries(caches))('behind an nginx %s', (_, location) => {
    let server: Awaited<ReturnType<(typeof servers)[string]>>
    let nginx: Awaited<ReturnType<typeof startNginx>>
    beforeAll(async () => {
      server = await (servers[name] as (typeof servers)[string])(createSite())
      nginx = await startNginx(server.url, { http: '', location })
      await vi.waitFor(() => fetch(nginx.url), 20_000)
    })
    afterAll(async () => {
      await nginx?.stop()
      await server?.close()
    })

    const ask = async (path: string, accept: string) => {
      const response = await fetch(nginx.url + path, { headers: { accept } })
      return [response.headers.get('x-nginx'), await response.text()]
    }

    it('a browser never gets Markdown at the address of the HTML, whoever comes first', async () => {
      for (const [index, visitors] of [
        [agent, browser],
        [browser, agent],
        [agent, '*/*'],
        ['*/*', agent],
      ].entries()) {
        for (const accept of [...visitors, ...visitors, ...visitors]) {
          const [status, text] = await ask(`/articles/${index}`, accept)
          if (accept !== agent) expect(text).toBe('<h1>Boats</h1>')
          else if (text === '# Boats') expect(status).toBe('MISS')
          else expect([location, status]).toEqual([caches['that ignores Vary, as Cloudflare does'], 'HIT'])
        }
        const other = visitors.find((accept) => accept !== agent) ?? ''
        expect(await ask(`/articles/${index}`, other)).toEqual(['HIT', '<h1>Boats</h1>'])
      }
    })

    it('the Markdown is stored at its own address, for everyone', async () => {
      const answers = []
      for (const accept of [browser, agent, '*/*']) answers.push(await ask('/articles/own.md', accept))
      expect(answers).toEqual([
        ['MISS', '# Boats'],
        ['HIT', '# Boats'],
        ['HIT', '# Boats'],
      ])
    })
  })
})
