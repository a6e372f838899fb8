import { vi } from 'vitest'
import type { RouteHandler } from '../../handler.js'
import { createResponseCache, memoryStore, memoryTagIndex, type ResponseCacheOptions } from '../index.js'

const origin = 'https://site.test'

/** What a test's handler is told to answer. */
export type Page =
  | Response
  | Error
  | undefined
  | ((request: Request) => Response | undefined | Promise<Response | undefined>)

/** A cache with a clock of its own, and a handler that answers what it is told and remembers what it was asked. */
export function startCache(options: Partial<ResponseCacheOptions> = {}) {
  let time = 0
  const asked: Request[] = []
  const log = vi.fn()
  const store = memoryStore({ maxBytes: 50_000_000, clock: () => time })
  const tagIndex = memoryTagIndex()
  const cache = createResponseCache({ store, tagIndex, log, ...options })
  let page: Page = () => cacheable('1')
  const handler: RouteHandler = async (request) => {
    asked.push(request)
    if (page instanceof Error) throw page
    return typeof page === 'function' ? await page(request) : page?.clone()
  }
  const wrapped = cache.wrap(handler)
  return {
    ...cache,
    wrapped,
    handler,
    asked,
    log,
    store,
    tagIndex,
    /** What the handler answers from now on. */
    serve(next: Page) {
      page = next
    },
    /** Lets seconds pass. */
    pass(seconds: number) {
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

/** A response that may be stored for a minute, unless the headers say otherwise. */
export function cacheable(body: BodyInit | null, headers: Record<string, string> = {}, status = 200): Response {
  return new Response(body, {
    status,
    headers: { 'Cache-Control': 's-maxage=60', 'Cache-Tag': 'document', ...headers },
  })
}

/** A promise, and how to settle it. */
export function deferred<T = void>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { promise, resolve, reject }
}

/** Lets what is under way come to rest. */
export const rest = (milliseconds = 5) => new Promise((resolve) => setTimeout(resolve, milliseconds))
