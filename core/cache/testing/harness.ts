import { vi } from 'vitest'
import type { Handler, RouteHandler } from '../../handler.js'
import { createResponseCache, memoryStore, memoryTagIndex, type ResponseCacheOptions } from '../index.js'

const origin = 'https://site.test'

/** The response of a test's handler, or a function that creates it. */
export type Page =
  | Response
  | Error
  | undefined
  | ((request: Request) => Response | undefined | Promise<Response | undefined>)

/**
 * Creates a cache with a clock of its own, and a handler whose response is set by `serve` and whose requests are
 * recorded.
 */
export function startCache(options: Partial<ResponseCacheOptions> = {}) {
  let time = 0
  const requests: Request[] = []
  const log = vi.fn()
  const store = memoryStore({ maxBytes: 50_000_000, clock: () => time })
  const tagIndex = memoryTagIndex()
  const renders: Promise<unknown>[] = []
  const waitUntil = (render: Promise<unknown>) => void renders.push(render)
  const cache = createResponseCache({ store, tagIndex, log, waitUntil, ...options })
  // Keeps the promises of renders from garbage collection. Otherwise, a promise that is never settled could be
  // collected with its request, whose signal would then never abort.
  const pending: unknown[] = []
  let page: Page = () => cacheable('1')
  const handler: RouteHandler = async (request) => {
    requests.push(request)
    if (page instanceof Error) throw page
    if (typeof page !== 'function') return page?.clone()
    const response = page(request)
    pending.push(response)
    return await response
  }
  const wrapped = cache.wrap(handler)
  const inFront = cache.inFrontOf(handler as Handler)
  return {
    ...cache,
    wrapped,
    inFront,
    handler,
    requests,
    pending,
    log,
    store,
    tagIndex,
    /** Sets the response of the handler. */
    serve(next: Page) {
      page = next
    },
    /** Waits until all renders have ended: their responses are stored, or are certain not to be stored. */
    stored: () => Promise.all(renders),
    /** Advances the clock. */
    advance(seconds: number) {
      time += seconds * 1000
    },
    async get(path = '/', headers: Record<string, string> = {}, init: RequestInit = {}) {
      const response = await wrapped(new Request(origin + path, { headers, ...init }))
      if (!response) return { status: 0, body: '', headers: new Headers(), cacheStatus: '' }
      const { status } = response
      return {
        status,
        body: await response.text(),
        headers: response.headers,
        cacheStatus: response.headers.get('cache-status') ?? '',
      }
    },
  }
}

/** Creates a response that may be stored for a minute, unless the headers say otherwise. */
export function cacheable(body: BodyInit | null, headers: Record<string, string> = {}, status = 200): Response {
  return new Response(body, {
    status,
    headers: { 'Cache-Control': 's-maxage=60', 'Cache-Tag': 'document', ...headers },
  })
}

/** Creates a promise and the functions that settle it. */
export function deferred<T = void>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { promise, resolve, reject }
}

/** Waits until pending work has settled. */
export async function rest(milliseconds = 5): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  // Digests run in threads in the order of their calls: after this digest, those of earlier renders are done, too.
  for (let round = 0; round < 3; round++) {
    await crypto.subtle.digest('SHA-256', new Uint8Array())
    await new Promise((resolve) => setTimeout(resolve))
  }
}
