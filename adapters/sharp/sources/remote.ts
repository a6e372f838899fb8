import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { sourceTag } from '../../../core/image/internal.js'
import { startDeadline, TimeoutError } from '../../../core/timeout.js'
import { type ClientResponse, discardBody, sendGet } from '../../node/http-client.js'
import { BlockedSource, ImageFailure, originalTooLarge, unknownSource } from '../failure.js'
import { type AllowedNetworks, createAddressFilters } from './addresses.js'
import { readDecodedBody } from './body.js'
import { createConnector } from './connector.js'
import type { OriginalSource } from './original-source.js'

export interface RemoteSourceOptions {
  /** Whether a URL is one of the configured sources. Redirects are checked too. */
  isAllowed: (url: string) => boolean
  /** Private networks that connections are allowed to, as CIDR. */
  allowNetworks: AllowedNetworks
  /** Maximum size of an original in bytes, decompressed. */
  maxBytes: number
  /** Maximum time in milliseconds for a whole original, including redirects. */
  timeout: number
  /** Milliseconds for which an original is assumed to be unchanged. */
  digestTtl: number
  /** Resolves host names. Default: `dns.lookup`. */
  lookup?: LookupFunction | undefined
}

const maxRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])
const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'sitewright' }

/**
 * Creates a function that returns originals on other servers: over http and https, from public addresses only, with at
 * most three redirects, each of which is checked like the first URL. See `ImageFailure` for its failures.
 *
 * @throws TypeError for a malformed network in `allowNetworks`.
 */
export function createRemoteSource(options: RemoteSourceOptions): (url: string) => OriginalSource {
  const { isAllowed, allowNetworks, maxBytes, timeout, digestTtl, lookup } = options
  const connect = createConnector({ filterOf: createAddressFilters(allowNetworks), timeout, lookup })
  // Decoded bytes are counted as they are read: this bounds what waits for it.
  const agent = new Agent({ connect, maxResponseSize: 2 * maxBytes })

  const download = async (url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
    let target = new URL(url)
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const response = await sendGet(agent, { url: target, headers, timeout, signal })
      const next = redirectTarget(response, target)
      if (!next) return await readOriginal(response, maxBytes)
      discardBody(response.body)
      if (!isAllowed(next.href)) throw new BlockedSource(`${target} redirects to ${next}, which is not a source`)
      target = next
    }
    throw new ImageFailure(502, `The source redirects more than ${maxRedirects} times`)
  }

  const read = async (url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
    const deadline = startDeadline(timeout, signal)
    try {
      return await download(url, deadline.signal)
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof ImageFailure) throw cause
      if (deadline.isOver() || isTimeout(cause)) throw new ImageFailure(504, 'The source is too slow', { cause })
      throw new ImageFailure(502, 'The source failed', { cause })
    } finally {
      deadline.end()
    }
  }

  return (url) => {
    const version = `remote\n${url}`
    const { origin } = new URL(url)
    return {
      origin,
      group: origin,
      tag: sourceTag(url),
      digestTtl,
      version: async () => version,
      read: async (signal) => ({ bytes: await read(url, signal), version }),
    }
  }
}

function redirectTarget({ status, headers }: ClientResponse, from: URL): URL | undefined {
  const { location } = headers
  if (!redirects.has(status) || typeof location !== 'string' || !URL.canParse(location, from)) return undefined
  return new URL(location, from)
}

async function readOriginal(
  { status, headers, body }: ClientResponse,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const failure = checkResponse(status, Number(headers['content-length'] ?? 0), maxBytes)
  if (!failure) return await readDecodedBody(body, [headers['content-encoding'] ?? ''].flat().join(), maxBytes)
  discardBody(body)
  throw failure
}

// After which the same request may succeed: RFC 9110, section 15.5.9, RFC 8470, section 5.2, and RFC 6585, section 4.
const passingFailures = new Set([408, 425, 429])

function checkResponse(status: number, length: number, maxBytes: number): ImageFailure | undefined {
  const cause = new Error(`the origin answered ${status}`)
  if (status >= 400 && status < 500 && !passingFailures.has(status)) return unknownSource(cause)
  if (status !== 200) return new ImageFailure(502, 'The source failed', { cause })
  if (length > maxBytes) return originalTooLarge(maxBytes)
  return undefined
}

function isTimeout(error: unknown): boolean {
  return error instanceof TimeoutError || (error as NodeJS.ErrnoException).code === 'UND_ERR_CONNECT_TIMEOUT'
}
