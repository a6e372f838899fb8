import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { expect, it, vi } from 'vitest'
import { expressMiddleware, inFrontOf } from '../../adapters/express/index.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { labelsOf } from '../../core/metrics/count.js'
import { createMetrics } from '../../core/metrics/index.js'
import dashboard from '../../examples/deploy/grafana-dashboard.json' with { type: 'json' }
import { listen } from '../adapter/listen.js'
import { freePort } from '../setup/free-port.js'

const secret = 'scraper'

/** Starts a site with a wrapped handler below `/wrapped` and an app behind a cache elsewhere. */
function startSite() {
  const store = memoryStore({ maxBytes: 64 * 1024 ** 2 })
  const lifetimes = ['s-maxage=600', 's-maxage=600', 's-maxage=1, stale-while-revalidate=60', 'no-store', 'private']
  const answer = (path: string, random = Math.random()) => ({
    status: path.endsWith('3') && random < 0.3 ? 500 : 200,
    'Cache-Control': lifetimes[path.length % lifetimes.length] as string,
    ...(path.endsWith('5') && { Vary: 'X-Made-Up' }),
  })
  const render = async ({ url }: Request) => {
    const { status, ...headers } = answer(new URL(url).pathname)
    if (status === 500 && url.includes('33')) throw new Error('a failure that the test wants')
    await new Promise((resolve) => setTimeout(resolve, 1))
    return new Response(url, { status, headers })
  }
  const app = express()
  app.use(async (req, res) => {
    const { status, ...headers } = answer(req.path)
    await new Promise((resolve) => setTimeout(resolve, 1))
    res.status(status).set(headers).send(req.path)
  })
  const log = () => {}
  const server = express()
  server.use(expressMiddleware(createMetrics({ secret, stores: { pages: store } })))
  const wrapped = createResponseCache({ store, log, name: 'wrapped' }).wrap(render)
  server.use('/wrapped', expressMiddleware(wrapped))
  server.use(inFrontOf(createResponseCache({ store, log, name: 'in-front' }), app))
  server.use(((_error, _req, res, _next) => void res.status(500).end()) as express.ErrorRequestHandler)
  return listen(server)
}

/** Starts Prometheus, which scrapes a site each second. Returns a function that sends it a query. */
async function startPrometheus(site: string) {
  const directory = await mkdtemp(join(tmpdir(), 'sitewright-prometheus-'))
  const port = await freePort()
  const configuration = {
    global: { scrape_interval: '1s' },
    scrape_configs: [
      {
        job_name: 'site',
        authorization: { credentials: secret },
        static_configs: [{ targets: [new URL(site).host] }],
      },
    ],
  }
  // JSON is YAML.
  await writeFile(join(directory, 'prometheus.yml'), JSON.stringify(configuration))
  const options = [`--config.file=${directory}/prometheus.yml`, `--storage.tsdb.path=${directory}/data`]
  const prometheus = spawn('prometheus', [...options, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'])
  return {
    async query(query: string) {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`
      const { data } = (await (await fetch(url)).json()) as {
        data: { result: { metric: Record<string, string>; value: [number, string] }[] }
      }
      return data.result
    },
    async stop() {
      const exited = once(prometheus, 'exit')
      prometheus.kill()
      await exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}

it('the counts that Prometheus scrapes equal the Cache-Status that 5,000 visitors got', async () => {
  const site = await startSite()
  const prometheus = await startPrometheus(site.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const seen: Record<string, number> = {}
  const visit = async (index: number) => {
    const path = `${index % 2 ? '/wrapped' : ''}/${'x'.repeat(index % 5)}${Math.floor(Math.random() * 40)}`
    const headers = {
      ...(Math.random() < 0.1 && { Cookie: 'session=1' }),
      ...(Math.random() < 0.05 && { Authorization: 'Basic eDp5' }),
      ...(Math.random() < 0.05 && { Range: 'bytes=0-1' }),
    }
    const method = (['POST', 'HEAD'] as const)[Math.floor(Math.random() * 40)] ?? 'GET'
    const sent = request(site.url + path, { agent, method, headers }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    for await (const _ of response);
    const status = response.headers['cache-status']
    if (status === undefined) return
    const { cache, outcome, detail } = labelsOf(String(status))
    const key = `${cache} ${outcome} ${detail}`
    seen[key] = (seen[key] ?? 0) + 1
  }
  try {
    let next = 0
    const visitor = async () => {
      while (next < 5_000) await visit(next++)
    }
    await Promise.all(Array.from({ length: 20 }, visitor))
    expect(Object.values(seen).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(4_000)
    expect(Object.keys(seen).length).toBeGreaterThan(15)
    const expectCounts = async () => {
      const result = await prometheus.query('sitewright_cache_requests_total')
      const counted = result.map(({ metric: { cache, outcome, detail = '' }, value }) => [
        `${cache} ${outcome} ${detail}`,
        Number(value[1]),
      ])
      expect(Object.fromEntries(counted)).toEqual(seen)
    }
    await vi.waitFor(expectCounts, { timeout: 20_000, interval: 250 })
    const bytes = await prometheus.query('sitewright_store_bytes{store="pages"}')
    expect(Number(bytes[0]?.value[1])).toBeGreaterThan(1_000)
    const renders = await prometheus.query('histogram_quantile(0.5, sitewright_render_duration_seconds_bucket) > 0')
    expect(renders.length).toBeGreaterThan(1)
    for (const { title, targets } of dashboard.panels) {
      if (/image|purge/i.test(title)) continue // this site has none
      for (const { expr } of targets) {
        const asked = expr.replaceAll('$job', '.*').replaceAll('$__rate_interval', '1m')
        // A rate needs two scrapes.
        const expectData = async () => expect((await prometheus.query(asked)).length, title).toBeGreaterThan(0)
        await vi.waitFor(expectData, { timeout: 20_000, interval: 250 })
      }
    }
    const running = await prometheus.query('sum(sitewright_renders_in_progress)')
    expect(running[0]?.value[1]).toBe('0')
  } finally {
    agent.destroy()
    await prometheus.stop()
    await site.close()
  }
})

it('promtool finds no fault in the names and the format', async () => {
  const site = await startSite()
  try {
    for (let visits = 0; visits < 3; visits++) await (await fetch(`${site.url}/wrapped/page`)).text()
    const sent = get(`${site.url}/metrics`, { headers: { Authorization: `Bearer ${secret}` } })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = Buffer.concat(await response.toArray())
    expect(text.toString()).toContain('sitewright_render_duration_seconds_bucket')
    expect(execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('')
  } finally {
    await site.close()
  }
})
