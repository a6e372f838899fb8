import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { inFrontOf } from '../../adapters/express/index.js'
import { type App, type Create, serveApp } from '../../adapters/express/testing/cached-app.js'
import { createResponseCache, memoryStore, type ResponseCacheOptions } from '../../core/cache/index.js'

/** An app, and what stands in front of it. */
export interface Site {
  /** Adds middleware and routes to the app. A route calls `run` when it runs. */
  routes: (app: App, create: Create, run: () => void) => unknown
  /** Adds middleware to an outer app. */
  front?: ((server: App) => unknown) | undefined
  options?: Partial<ResponseCacheOptions> | undefined
}

/** Serves a site twice, with the cache and without it. */
export async function serveBoth(create: Create, { routes, front, options }: Site) {
  const serve = async (place: (app: App) => RequestListener) => {
    const counted = { url: '', runs: 0, logs: [] as string[] }
    const app = create().set('env', 'test') // otherwise Express logs errors
    routes(app, create, () => counted.runs++)
    const listener = place(app)
    const server = create().set('env', 'test')
    front?.(server)
    counted.url = await serveApp(front ? server.use((req, res) => void listener(req, res)) : listener)
    return counted
  }
  const logs: string[] = []
  const cache = createResponseCache({
    store: memoryStore({ maxBytes: 10_000_000 }),
    log: (message, values) => logs.push(`${message} ${JSON.stringify(values)}`),
    ...options,
  })
  return { plain: await serve((app) => app), cached: await serve((app) => inFrontOf(cache, app)), cache, logs }
}

/** Sends bytes over a connection of its own, and returns all bytes of the answer as Latin-1. */
export async function sendRaw(url: string, text: string, onData?: (received: string) => void): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', (piece) => {
    received += piece
    onData?.(received)
  })
  socket.on('error', () => {}).write(text, 'latin1')
  await once(socket, 'close')
  return received
}

export const requestOf = (path: string, fields: readonly string[] = [], method = 'GET', body = '') =>
  [`${method} ${path} HTTP/1.1`, 'Host: site.example', 'Connection: close', ...fields, '', body].join('\r\n')

// What differs from one answer to the next, without a cache, too.
const random: [RegExp, string][] = [
  [/^Date: .*/gm, 'Date: *'],
  [/Expires=[^;\r]*/g, 'Expires=*'],
  [/^(RateLimit(?:-Reset|-Policy)?): .*/gim, '$1: *'],
  [/127\.0\.0\.1:\d+/g, '*'],
]

// By what a response that a shared cache might store becomes the visitor's own. All others stay as they are.
const privateForms: Record<string, string> = {
  'public, s-maxage=60': 'private',
  'public, max-age=60': 'private, max-age=60',
  'public, max-age=3600': 'private, max-age=3600',
  'max-age=60': 'private, max-age=60',
  's-maxage=0, stale-while-revalidate=60': 'private',
  'public, max-age=0': 'private, max-age=0',
  'public, max-age=0, s-maxage=3600': 'private, max-age=0',
}

/** Returns the bytes that an own answer must have, if these are the bytes of the app's answer without the cache. */
export function toOwn(plain: string, mask: readonly RegExp[] = []): string {
  const own = plain.replace(/^(Cache-Control: )(.*)$/gim, (line, name, value) => {
    const form = privateForms[value]
    return form === undefined ? line : `${name}${form}`
  })
  return withoutRandom(own, mask)
}

/** Removes the member of `Cache-Status` and what differs between any two answers. */
export function withoutRandom(raw: string, mask: readonly RegExp[] = []): string {
  const masked = mask.reduce((text, pattern) => text.replace(pattern, '*'), raw.replace(/^Cache-Status: .*\r\n/gm, ''))
  return random.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), masked)
}

export const cacheStatusOf = (raw: string) => /^Cache-Status: (.*)/im.exec(raw)?.[1] ?? ''

// What a cache adds, what belongs to one connection, and how the body is framed and encoded.
const ofTheMessage =
  /^(?:age|cache-status|cache-tag|connection|content-(?:encoding|length)|date|etag|keep-alive|transfer-encoding)$/

/** Parses an answer, without what a page from the store may have of its own. */
export function parse(raw: string, mask: readonly RegExp[] = []) {
  const [head = '', ...rest] = withoutRandom(raw, mask).split('\r\n\r\n')
  const [status, ...lines] = head.split('\r\n')
  const fields = lines.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
  const text = rest.join('\r\n\r\n')
  const isChunked = fields.includes('transfer-encoding: chunked')
  const bytes = isChunked ? joinChunks(text) : text
  const isCompressed = fields.includes('content-encoding: gzip')
  const body = isCompressed ? gunzipSync(Buffer.from(bytes, 'latin1')).toString('latin1') : bytes
  const nameOf = (line: string) => line.slice(0, line.indexOf(':'))
  const kept = fields.filter((line) => !ofTheMessage.test(nameOf(line)))
  // Several lines of a field are the same as one (RFC 9110, section 5.3).
  const joined = new Headers(kept.map((line): [string, string] => [nameOf(line), line.slice(line.indexOf(':') + 1)]))
  return { status, fields: [...joined], body }
}

function joinChunks(text: string): string {
  const end = text.indexOf('\r\n')
  const length = Number.parseInt(text, 16)
  return length > 0 ? text.slice(end + 2, end + 2 + length) + joinChunks(text.slice(end + 4 + length)) : ''
}

/** Expects an answer behind the cache to be the same as without it. Returns whether it is of a page for all. */
export function expectSame(cached: string, plain: string, mask: readonly RegExp[] = []): boolean {
  const isShared = /; (?:hit|stored|collapsed)/.test(cacheStatusOf(cached))
  if (isShared) expect(parse(cached, mask)).toEqual(parse(plain, mask))
  else expect(withoutRandom(cached, mask)).toBe(toOwn(plain, mask))
  return isShared
}
