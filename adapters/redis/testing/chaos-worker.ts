import { createServer } from 'node:http'
import { createResponseCache, memoryStore, type Stamp, type Store, type TagIndex } from '../../../core/cache/index.js'
import { nodeListener } from '../../node/index.js'
import { redisStore, redisTagIndex } from '../index.js'

// One instance of the long test: a server of its own process. Bundled and started by chaos.test.ts.

/** What the long test tells an instance. */
export interface WorkerSettings {
  kind: 'redis' | 'ioredis'
  /** Port of its proxy to Redis. */
  redisPort: number
  /** Where the content is. */
  contentUrl: string
  inRedis: boolean
  /** Milliseconds that its clock is ahead. */
  clockAhead: number
  /** What is wrong with it, on purpose. */
  broken?: 'deaf' | 'late-stamp' | 'false-acknowledgement' | 'joins-anything' | 'trusts-restarts' | undefined
}

async function connectTo({ kind, redisPort: port }: WorkerSettings) {
  if (kind === 'ioredis') {
    const { Redis } = await import('ioredis')
    const client = new Redis({ port, retryStrategy: () => 30 })
    client.on('error', () => {})
    return client
  }
  const { createClient } = await import('redis')
  const client = createClient({ socket: { port, host: '127.0.0.1', reconnectStrategy: () => 30 } })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The index, with what is wrong with it. */
function breakIndex(index: TagIndex, broken: WorkerSettings['broken']): TagIndex {
  let first: Promise<Stamp | undefined> | undefined
  const stampOnce = () => {
    first ??= Promise.resolve(index.stamp())
    return first
  }
  if (broken === 'deaf') return { ...index, stamp: stampOnce, purge: (tags, mode) => index.purge(tags, mode) }
  if (broken === 'false-acknowledgement') {
    return { ...index, purge: async (...purge) => void Promise.resolve(index.purge(...purge)).catch(() => {}) }
  }
  return index
}

/** A store that stamps what it is given when it is given it: after the render. */
const stampLate = (store: Store, index: TagIndex): Store => ({
  ...store,
  async set(key, entry, age) {
    const stamp = await index.stamp()
    await store.set(key, entry.kind === 'response' && stamp ? { ...entry, stamp } : entry, age)
  },
})

/** Has all who ask for a page while it renders share that render, whenever it began. */
function joinAll(handle: (request: Request) => Promise<Response>) {
  const underWay = new Map<string, Promise<string>>()
  return async (request: Request): Promise<Response> => {
    if (request.method === 'PURGE') return handle(request)
    const joined = underWay.get(request.url)
    if (joined) return new Response(await joined)
    const render = handle(request).then((response) => response.text())
    underWay.set(request.url, render)
    const body = await render.finally(() => underWay.delete(request.url))
    return new Response(body)
  }
}

async function work(settings: WorkerSettings) {
  const realNow = Date.now
  Date.now = () => realNow() + settings.clockAhead
  const { broken, contentUrl } = settings
  const client = await connectTo(settings)
  const real = redisTagIndex({ client, timeout: 300, pollInterval: 100, durable: broken === 'trusts-restarts' })
  const tagIndex = breakIndex(real, broken)
  const plain = settings.inRedis ? redisStore({ client, timeout: 300 }) : memoryStore({ maxBytes: 5_000_000 })
  const store = broken === 'late-stamp' ? stampLate(plain, real) : plain
  const pages = createResponseCache({ store, tagIndex, log: () => {} })
  const render = pages.wrap(async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url)
    const content = await fetch(contentUrl + pathname)
    const version = await content.text()
    // A render takes its time after it has read the content.
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
    const done = await pages.invalidate([tag], { mode }).then(
      () => true,
      () => false,
    )
    return new Response(null, { status: done ? 200 : 503 })
  }
  const server = createServer(
    nodeListener(broken === 'joins-anything' ? joinAll(handle) : handle, { onError: () => {} }),
  )
  // A connection that the server closes while a request is on its way would look like a failure.
  server.keepAliveTimeout = 300_000
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
  process.on('disconnect', () => process.exit())
}

await work(JSON.parse(process.env.CHAOS_WORKER ?? '{}'))
