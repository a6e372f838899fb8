import { createServer } from 'node:http'
import { createResponseCache, memoryStore, type Stamp, type Store, type TagIndex } from '../../../core/cache/index.js'
import { nodeListener } from '../../node/index.js'
import { type RedisClient, redisStore, redisTagIndex } from '../index.js'

// One instance of the chaos test: a server in its own process. Bundled and started by chaos.slow.integration.test.ts.

/** Settings of an instance, from the chaos test. */
export interface WorkerSettings {
  kind: 'redis' | 'ioredis'
  /** Port of Redis, or of its proxy. */
  redisPort?: number | undefined
  /** Ports of the Sentinels that know where Redis is, in place of `redisPort`. */
  sentinelPorts?: readonly number[] | undefined
  /** Whether an ioredis client leaves the old master as soon as a Sentinel tells of a failover. */
  detectsFailover?: boolean | undefined
  /** URL of the server that has the current versions. */
  contentUrl: string
  inRedis: boolean
  /** Milliseconds that its clock is ahead. */
  clockAhead: number
  /** A bug that is built in on purpose, so that the checker must find it. */
  bug?: 'never-reads-stamp' | 'stamps-late' | 'acknowledges-early' | 'joins-any-render' | 'trusts-restarts' | undefined
}

async function connectTo({ kind, redisPort: port = 0, sentinelPorts, detectsFailover }: WorkerSettings) {
  const sentinels = sentinelPorts?.map((sentinelPort) => ({ host: '127.0.0.1', port: sentinelPort }))
  if (kind === 'ioredis') {
    const { Redis } = await import('ioredis')
    const retryStrategy = () => 30
    const client = sentinels
      ? new Redis({ sentinels, name: 'pages', failoverDetector: detectsFailover, sentinelRetryStrategy: retryStrategy })
      : new Redis({ port, retryStrategy })
    client.on('error', () => {})
    return client
  }
  const { createClient, createSentinel } = await import('redis')
  if (sentinels) {
    const client = createSentinel({ name: 'pages', sentinelRootNodes: sentinels, scanInterval: 500 })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const client = createClient({ socket: { port, host: '127.0.0.1', reconnectStrategy: () => 30 } })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Builds the bug into the tag index. */
function addBug(index: TagIndex, bug: WorkerSettings['bug']): TagIndex {
  let firstStamp: Promise<Stamp | undefined> | undefined
  const stampOnce = () => {
    firstStamp ??= Promise.resolve(index.stamp())
    return firstStamp
  }
  if (bug === 'never-reads-stamp') return { ...index, stamp: stampOnce, purge: (tags, mode) => index.purge(tags, mode) }
  if (bug === 'acknowledges-early') {
    return { ...index, purge: async (...purge) => void Promise.resolve(index.purge(...purge)).catch(() => {}) }
  }
  return index
}

/** Returns a client whose script keeps the epoch when Redis has restarted. */
function trustRestarts(client: RedisClient): RedisClient {
  const edit = <T>(arg: T) => (typeof arg === 'string' ? arg.replace(' or state[3] ~= master', '') : arg)
  if ('callBuffer' in client) return { callBuffer: (name, ...args) => client.callBuffer(name, ...args.map(edit)) }
  return {
    withTypeMapping() {},
    sendCommand: (args: string[], options: unknown) => client.sendCommand(args.map(edit), options),
  }
}

/** Replaces the stamp of each entry when it is stored, which is after the render. */
const stampLate = (store: Store, index: TagIndex): Store => ({
  ...store,
  async set(key, entry, age) {
    const stamp = await index.stamp()
    await store.set(key, entry.kind === 'response' && stamp ? { ...entry, stamp } : entry, age)
  },
})

/** Makes all requests for a page that is being rendered share that render, even if it started before a purge. */
function joinAll(handle: (request: Request) => Promise<Response>) {
  const inFlight = new Map<string, Promise<string>>()
  return async (request: Request): Promise<Response> => {
    if (request.method === 'PURGE') return handle(request)
    const joined = inFlight.get(request.url)
    if (joined) return new Response(await joined)
    const render = handle(request).then((response) => response.text())
    inFlight.set(request.url, render)
    const body = await render.finally(() => inFlight.delete(request.url))
    return new Response(body)
  }
}

async function startWorker(settings: WorkerSettings) {
  const realNow = Date.now
  Date.now = () => realNow() + settings.clockAhead
  const { bug, contentUrl } = settings
  const client = await connectTo(settings)
  const indexClient = bug === 'trusts-restarts' ? trustRestarts(client) : client
  const real = redisTagIndex({ client: indexClient, timeout: 300, log: () => {} })
  const tagIndex = addBug(real, bug)
  const plain = settings.inRedis ? redisStore({ client, timeout: 300 }) : memoryStore({ maxBytes: 5_000_000 })
  const store = bug === 'stamps-late' ? stampLate(plain, real) : plain
  const pages = createResponseCache({ store, tagIndex, log: () => {} })
  const render = pages.wrap(async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url)
    const content = await fetch(contentUrl + pathname)
    const version = await content.text()
    // A render takes some time after it has read the content.
    const pause = Math.random() * Number(searchParams.get('pause') ?? 30)
    await new Promise((resolve) => setTimeout(resolve, pause))
    return new Response(version, {
      headers: {
        'Cache-Control': 's-maxage=1, stale-while-revalidate=60, stale-if-error=60',
        'Cache-Tag': `all, page-${pathname.slice(1)}`,
        ...(Math.random() < 0.5 && { ETag: `"${version}"` }),
      },
    })
  })
  const handle = async (request: Request) => {
    if (request.method !== 'PURGE') return render(request)
    const { pathname, searchParams } = new URL(request.url)
    const mode = searchParams.get('mode') === 'soft' ? 'soft' : 'hard'
    const tag = searchParams.get('tag') ?? pathname.slice(1)
    const isPurged = await pages.invalidate([tag], { mode }).then(
      () => true,
      () => false,
    )
    return new Response(null, { status: isPurged ? 200 : 503 })
  }
  const server = createServer(
    nodeListener(bug === 'joins-any-render' ? joinAll(handle) : handle, { onError: () => {} }),
  )
  // A connection that the server closes while a request is being sent would look like a failure.
  server.keepAliveTimeout = 300_000
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
  process.on('disconnect', () => process.exit())
}

await startWorker(JSON.parse(process.env.CHAOS_WORKER ?? '{}'))
