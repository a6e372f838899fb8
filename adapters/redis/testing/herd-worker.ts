import { createServer } from 'node:http'
import { createClient } from 'redis'
import { createResponseCache, memoryStore, type Store, tieredStore } from '../../../core/cache/index.js'
import { nodeListener } from '../../node/index.js'
import { redisStore, redisTagIndex } from '../index.js'

// One instance of the herd test: a server in its own process. Bundled and started by herd.ts.

/** Settings of an instance. */
export interface HerdWorkerSettings {
  redisPort: number
  /** URL of the server that has the current version, and counts the renders. */
  contentUrl: string
  stores: 'redis' | 'memory and redis'
  /** Whether instances render each for itself, to measure what leases save. */
  withoutLeases: boolean
  /** Milliseconds that a render takes. */
  renderTime: number
}

async function startWorker(settings: HerdWorkerSettings) {
  const client = createClient({ socket: { port: settings.redisPort, host: '127.0.0.1' } })
  client.on('error', () => {})
  await client.connect()
  let commands = 0
  const send = client.sendCommand.bind(client)
  client.sendCommand = ((...args: Parameters<typeof send>) => {
    commands++
    return send(...args)
  }) as typeof client.sendCommand

  // All processes share two cores: what a loaded machine delays must not look like a Redis that is away.
  const timeout = 20_000
  const shared = redisStore({ client, timeout })
  const stored =
    settings.stores === 'redis' ? shared : tieredStore([memoryStore({ maxBytes: 10_000_000 }), shared], { timeout })
  const { get, set, delete: remove } = stored
  const store: Store = settings.withoutLeases ? { get, set, delete: remove } : stored
  const tagIndex = redisTagIndex({ client, timeout })
  const cache = createResponseCache({ store, tagIndex, storeTimeout: timeout, joinTimeout: 60_000 })
  const render = cache.wrap(async (request) => {
    const content = await fetch(settings.contentUrl + new URL(request.url).pathname)
    const version = await content.text()
    await new Promise((resolve) => setTimeout(resolve, settings.renderTime))
    return new Response(version, { headers: { 'Cache-Control': 's-maxage=600', 'Cache-Tag': 'document' } })
  })
  const handle = async (request: Request) => {
    if (request.method === 'GET') return render(request)
    if (request.method === 'PURGE') {
      await cache.invalidate(['document'])
      return new Response()
    }
    const counted = commands
    commands = 0
    return new Response(String(counted))
  }
  const server = createServer(nodeListener(handle))
  server.keepAliveTimeout = 300_000
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
  process.on('disconnect', () => process.exit())
}

await startWorker(JSON.parse(process.env.HERD_WORKER ?? '{}'))
