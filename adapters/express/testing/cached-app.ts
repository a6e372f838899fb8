import { createServer, type RequestListener } from 'node:http'
import express from 'express'
// @ts-expect-error the alias of Express 4 has no types
import express4 from 'express4'
import { afterEach } from 'vitest'
import { createResponseCache, memoryStore, type ResponseCacheOptions } from '../../../core/cache/index.js'
import { listen } from '../../../test/adapter/listen.js'
import { inFrontOf } from '../index.js'

export type App = ReturnType<typeof express>

/** Creates an app. Express 4 and 5 are used in the same way. */
export type Create = typeof express

export const versions: [name: string, create: Create][] = [
  ['Express 5', express],
  ['Express 4', express4],
]

export const sharedCacheControl = 'public, s-maxage=3600'
export const withCookie = (text: string) => ({ headers: { Cookie: text } })

const closes: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closes.splice(0).map((close) => close()))
})

/** Serves an app until the test ends. */
export async function serveApp(app: RequestListener): Promise<string> {
  const { url, close } = await listen(createServer(app))
  closes.push(close)
  return url
}

/** Starts an app with a cache in front of it, alone or within an outer app that has middleware above the cache. */
export async function startCachedApp(
  create: Create,
  routes: (app: App) => unknown,
  options: Partial<ResponseCacheOptions> = {},
  above?: (app: App) => unknown,
) {
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 50_000_000 }), log: () => {}, ...options })
  const createQuiet = () => create().set('env', 'test') // otherwise Express logs errors
  const app = createQuiet()
  routes(app)
  const server = createQuiet()
  above?.(server)
  const url = await serveApp(above ? server.use(inFrontOf(cache, app)) : inFrontOf(cache, app))
  const get = async (path = '/', init: RequestInit = {}) => {
    const response = await fetch(url + path, { redirect: 'manual', ...init })
    const { status, headers } = response
    return { status, headers, text: await response.text(), cacheStatus: headers.get('cache-status') ?? '' }
  }
  return { cache, url, get }
}
