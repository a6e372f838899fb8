import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { gunzipSync } from 'node:zlib'

export interface Visit {
  path: string
  method?: string
  fields?: Record<string, string>
  body?: string
}

export interface Answer {
  status: string
  /** Header lines with names in lower case, as the server has sent them, without `Date`. */
  lines: string[]
  body: Buffer
}

/** Sends a request, and reads everything that the server answers. */
export async function visit(origin: string, { path, method = 'GET', fields = {}, body }: Visit): Promise<Answer> {
  const headers = { Host: 'site.test', Connection: 'close', ...fields }
  const sent = request({ port: new URL(origin).port, method, path, headers, agent: false }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const { rawHeaders, statusCode, statusMessage } = answer
  const lines = rawHeaders.flatMap((name, at) => (at % 2 ? [] : `${name.toLowerCase()}: ${rawHeaders[at + 1]}`))
  return {
    status: `${statusCode} ${statusMessage}`,
    lines: lines.filter((line) => !line.startsWith('date:')).map((line) => line.replace(';charset', '; charset')),
    body: Buffer.concat(await answer.toArray()),
  }
}

/** Returns the member that a cache has added to `Cache-Status`. */
export function cacheStatusOf({ lines }: Answer): string {
  return lines.find((line) => line.startsWith('cache-status:'))?.slice('cache-status: '.length) ?? ''
}

// How the cache rewrites a `Cache-Control` that allows shared caches, in an answer to one visitor.
const privately: Record<string, string> = {
  'cache-control: public, s-maxage=60': 'cache-control: private',
  'cache-control: s-maxage=60': 'cache-control: private',
  'cache-control: max-age=60': 'cache-control: private, max-age=60',
}
// Fields that the cache adds to a stored page, and fields that depend on how the server sends a body.
const ofStored = /^(?:age|cache-tag|content-encoding|content-length|etag|transfer-encoding):/

// Hono numbers each `Suspense` with a counter of the process, so two renders of a page have different numbers.
const normalize = (body: Buffer) => body.toString('latin1').replace(/H:\d+/g, 'H:n')
const decode = ({ lines, body }: Answer) => (lines.includes('content-encoding: gzip') ? gunzipSync(body) : body)
const cookiesOf = (lines: string[]) => lines.filter((line) => line.startsWith('set-cookie:')).join()

/**
 * Returns how an answer with a cache in front of the app differs from the answer without it. Three differences are
 * allowed: `Cache-Status`; `private` in an answer to one visitor that would let shared caches store it; and in a stored
 * page, the fields that the cache adds and a body without compression.
 */
export function compare(plain: Answer, cached: Answer): string[] {
  const isShared = /; hit|; stored|; collapsed/.test(cacheStatusOf(cached))
  // From a stored page, the cache answers conditional and range requests itself.
  if (isShared && /^(?:206|304)/.test(cached.status)) return plain.body.includes(cached.body) ? [] : ['another part']
  const isCompared = (line: string) => !line.startsWith('cache-status:') && !(isShared && ofStored.test(line))
  const expected = plain.lines.filter(isCompared).map((line) => (isShared ? line : (privately[line] ?? line)))
  const lines = cached.lines.filter(isCompared)
  // A stored page has the fields of the GET, which some servers and middleware leave out of the answer to a HEAD.
  const isStoredHead = isShared && plain.body.length === 0
  const added = isStoredHead ? [] : lines.filter((line) => !expected.includes(line))
  const isSame = normalize(isShared ? decode(plain) : plain.body) === normalize(isShared ? decode(cached) : cached.body)
  return [
    cacheStatusOf(cached) ? [] : 'no Cache-Status',
    cached.status === plain.status ? [] : `${cached.status} in place of ${plain.status}`,
    isSame ? [] : `body ${cached.body.toString('latin1', 0, 60)}`,
    expected.filter((line) => !lines.includes(line)).map((line) => `without ${line}`),
    added.map((line) => `with ${line}`),
    isStoredHead || lines.length === expected.length ? [] : 'a line twice',
    cookiesOf(lines) === cookiesOf(expected) ? [] : 'cookies in another order',
  ].flat()
}
