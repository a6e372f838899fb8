import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { startDeadline } from '../../../core/timeout.js'
import { ImageFailure, RefusedSource, unknownSource } from '../failure.js'
import { createAddressRule } from './addresses.js'
import { readBody } from './body.js'
import { createConnector } from './connector.js'
import type { Place } from './original-source.js'

export interface RemoteSourceOptions {
  /** Whether a URL is one of the configured sources; redirects are asked about too. */
  isAllowed: (url: string) => boolean
  /** Private networks that may be connected to, as CIDR. */
  allowNetworks: readonly string[]
  /** Largest original in bytes, unpacked. */
  maxBytes: number
  /** Longest time in milliseconds for all of an original, redirects included. */
  timeout: number
  /** How long in milliseconds an original is taken to be unchanged. */
  freshFor: number
  lookup?: LookupFunction | undefined
}

const maxRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])
const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'sitewright' }

/**
 * Creates the source of originals on other servers: over http and https, from public addresses only, through at most
 * three redirects, each of them checked as the first URL was. See `ImageFailure` for what its failures say.
 *
 * @throws TypeError for an `allowNetworks` that is no network.
 */
export function createRemoteSource(options: RemoteSourceOptions): (url: string) => Place {
  const { isAllowed, allowNetworks, maxBytes, timeout, freshFor, lookup } = options
  const connect = createConnector({ isRefused: createAddressRule(allowNetworks), timeout, lookup })
  const agent = new Agent({ connect, headersTimeout: timeout, bodyTimeout: timeout })

  const ask = ({ origin, pathname, search }: URL, signal: AbortSignal) =>
    agent.request({ origin, path: pathname + search, method: 'GET', headers, signal })

  const download = async (url: string, signal: AbortSignal): Promise<Buffer> => {
    let target = new URL(url)
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const response = await ask(target, signal)
      const next = redirectTarget(response, target)
      if (!next) return await readOriginal(response, maxBytes)
      await response.body.dump({ limit: 64 * 1024, signal })
      if (!isAllowed(next.href)) throw new RefusedSource(`${target} redirects to ${next}, which is no source`)
      target = next
    }
    throw new ImageFailure(502, `The source redirects more than ${maxRedirects} times`)
  }

  return (url) => ({
    kind: 'remote',
    freshFor,
    version: async () => ['remote', url].join('\n'),
    async read(signal) {
      const limit = startDeadline(timeout, signal)
      try {
        return { bytes: await download(url, limit.signal), version: ['remote', url].join('\n') }
      } catch (cause) {
        signal.throwIfAborted()
        if (cause instanceof ImageFailure) throw cause
        if (limit.isOver() || isTimeout(cause)) throw new ImageFailure(504, 'The source is too slow', { cause })
        throw new ImageFailure(502, 'The source failed', { cause })
      } finally {
        limit.end()
      }
    },
  })
}

function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | undefined {
  const { location } = headers
  if (!redirects.has(statusCode) || typeof location !== 'string' || !URL.canParse(location, from)) return undefined
  return new URL(location, from)
}

async function readOriginal({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  const failure = refuse(statusCode, Number(headers['content-length'] ?? 0), maxBytes)
  if (!failure) return await readBody(body, [headers['content-encoding'] ?? ''].flat().join(), maxBytes)
  body.on('error', () => {}).destroy()
  throw failure
}

function refuse(status: number, length: number, maxBytes: number): ImageFailure | undefined {
  const cause = new Error(`the origin answers ${status}`)
  if (status >= 400 && status < 500 && status !== 429) return unknownSource(cause)
  if (status !== 200) return new ImageFailure(502, 'The source failed', { cause })
  if (length > maxBytes) return new ImageFailure(422, `The original is larger than ${maxBytes} bytes`)
  return undefined
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT$/.test(`${error.code}`)
}
