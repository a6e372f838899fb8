import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { devNull } from 'node:os'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Agent, type Dispatcher } from 'undici'
import { nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, memoryStore, type ResponseCacheOptions } from '../../core/cache/index.js'
import { hasNullBody } from '../../core/http/body.js'
import { listen } from '../adapter/listen.js'

/** The result of each test by its id: `true`, or why it failed. */
export type Results = Record<string, true | [kind: string, message: string]>

const { resolve } = createRequire(import.meta.url)

/** Starts the suite's own origin server on a free port. */
export async function startOrigin() {
  const child = spawn(process.execPath, [resolve('http-cache-tests/server/server.mjs')], {
    env: { ...process.env, npm_config_protocol: 'http', npm_config_port: '0', npm_config_pidfile: devNull },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let url = ''
  for await (const line of createInterface(child.stdout)) {
    const port = /^Listening on .*:(\d+)\/$/.exec(line)?.[1]
    if (!port) continue
    url = `http://localhost:${port}`
    break
  }
  child.stdout.resume()
  if (!url) throw new Error('The origin server of http-cache-tests ended before it listened')
  return {
    url,
    async close() {
      child.kill()
      await ended
    },
  }
}

// Fields that a proxy does not pass on (RFC 9110, section 7.6.1). `Host` becomes that of the origin.
const hopByHop = ['connection', 'host', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade']

// The request fields by which pages of the suite vary.
const suiteFields = ['Foo', 'Bar', 'Baz', 'Accept-Language', 'Abc']

/** Starts a reverse proxy that consists of only the response cache in front of an origin. */
export async function startProxy(origin: string, options: Partial<ResponseCacheOptions>) {
  const agent = new Agent({ connections: 1000, headersTimeout: 60_000, bodyTimeout: 60_000 })
  const cache = createResponseCache({
    store: memoryStore({ maxBytes: 50_000_000 }),
    bypass: () => false,
    fields: Object.fromEntries(suiteFields.map((name) => [name, true])),
    ...options,
    log: () => {},
  })
  // The origin counts the requests of each test by a field of the suite's own, which says nothing about the page.
  const numbers = new Map<string, string>()
  const wrapped = cache.wrap(async (request) => {
    const { pathname, search } = new URL(request.url)
    const fields = new Headers(request.headers)
    for (const name of hopByHop) fields.delete(name)
    const number = numbers.get(pathname)
    if (number !== undefined) fields.set('req-num', number)
    if (options.targets?.includes('Surrogate-Control')) fields.set('surrogate-capability', 'sitewright="Surrogate/1.0"')
    const { statusCode, headers, body } = await agent.request({
      origin,
      path: pathname + search,
      method: request.method as Dispatcher.HttpMethod,
      headers: Object.fromEntries(fields),
      body: request.body && Readable.fromWeb(request.body as import('node:stream/web').ReadableStream),
      signal: request.signal,
    })
    const lines = Object.entries(headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, value]),
    )
    const init = { status: statusCode, headers: new Headers(lines) }
    if (!hasNullBody(statusCode)) return new Response(Readable.toWeb(body) as BodyInit, init)
    await body.dump()
    return new Response(null, init)
  })
  const handler = (request: Request) => {
    const number = request.headers.get('req-num')
    if (number !== null) numbers.set(new URL(request.url).pathname, number)
    return wrapped(request)
  }
  // In some tests the origin hangs up, or answers 999, a status that no Response can have.
  const proxy = await listen(nodeListener(handler, { onError: () => {} }))
  return {
    url: proxy.url,
    async close() {
      await proxy.close()
      await agent.destroy()
    },
  }
}

/** Runs the suite, or some of its tests, on the cache at a URL. */
export async function runSuite(url: string, ids?: readonly string[]): Promise<Results> {
  if (ids?.length === 0) return {}
  const script = fileURLToPath(new URL('./run.js', import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', script, url, ...(ids ? [ids.join(',')] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let printed = ''
  for await (const text of child.stdout) printed += text
  const [code] = await ended
  if (code !== 0) throw new Error(`http-cache-tests ended with ${code}:\n${printed}`)
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '')
}
