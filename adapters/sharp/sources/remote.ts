import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { BodyTooLargeError, readBytes } from '../../../core/http/body.js'
import { sourceTag } from '../../../core/image/internal.js'
import { startDeadline } from '../../../core/timeout.js'
import { BlockedSource, ImageFailure, rejected, unknownSource } from '../failure.js'
import type { ResolvedOptions } from '../options.js'
import { blockedAddress, createAddressFilters, createCheckedLookup } from './addresses.js'
import type { OriginalSource } from './original.js'

const maxRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])
// Statuses after which the same request may succeed later: RFC 9110, section 15.5.9, RFC 8470, section 5.2, and RFC
// 6585, section 4.
const passingFailures = new Set([408, 425, 429])
const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'sitewright' }
/**
 * Creates a function that returns originals on other servers: over http and https, from public addresses only, with at
 * most three redirects, each of which is checked like the first URL. See `ImageFailure` for its failures.
 *
 * @param isAllowed Whether a URL is one of the configured sources.
 * @param lookup Resolves host names. Default: `dns.lookup`.
 * @throws TypeError for a malformed network in `allowNetworks`.
 */
export function createRemoteSource(
  { allowNetworks, maxSourceBytes: maxBytes, sourceTimeout, remoteMaxAge }: ResolvedOptions,
  isAllowed: (url: string) => boolean,
  lookup?: LookupFunction,
): (url: string) => OriginalSource {
  const filterOf = createAddressFilters(allowNetworks)
  const checkedLookup = createCheckedLookup(filterOf, lookup)

  /** Opens a new connection for each request, so that its address has just been checked. Resolves with the head of the response. */
  const request = (url: URL, signal: AbortSignal) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      const hostname = url.hostname.replace(/^\[|\]$/g, '')
      // Node does not call `lookup` for IP addresses.
      if (isIP(hostname) && filterOf(hostname)(hostname)) throw blockedAddress(hostname, hostname)
      const { get } = url.protocol === 'https:' ? https : http
      const sent = get(url, { agent: false, headers, lookup: checkedLookup, signal }, (response) => {
        // Otherwise a reset would end a body of unknown length as if it were complete.
        sent.on('error', (error) => response.destroy(error))
        resolve(response)
      })
      // A 101 ends the connection with neither a response nor an error.
      sent
        .on('error', reject)
        .on('close', () => reject(new Error('the origin closed the connection without a response')))
    })

  const download = async (url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
    let target = new URL(url)
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const response = await request(target, signal)
      const next = redirectTarget(response, target)
      if (!next) return await readOriginal(response, maxBytes)
      response.destroy()
      if (!isAllowed(next.href)) throw new BlockedSource(`${target} redirects to ${next}, which is not a source`)
      target = next
    }
    throw new ImageFailure(502, `The source redirects more than ${maxRedirects} times`)
  }

  const read = async (url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
    const deadline = startDeadline(sourceTimeout, signal)
    try {
      return await download(url, deadline.signal)
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof ImageFailure) throw cause
      if (cause instanceof BodyTooLargeError) throw rejected(`is larger than ${maxBytes} bytes`)
      if (deadline.isOver()) throw new ImageFailure(504, 'The source is too slow', { cause })
      throw new ImageFailure(502, 'The source failed', { cause })
    } finally {
      deadline.end()
    }
  }

  return (url) => {
    const version = `remote\n${url}`
    return {
      group: new URL(url).origin,
      tag: sourceTag(url),
      digestTtl: remoteMaxAge * 1000,
      version: () => version,
      read: async (signal) => ({ bytes: await read(url, signal), version }),
    }
  }
}

function redirectTarget({ statusCode = 0, headers }: http.IncomingMessage, from: URL): URL | undefined {
  const { location } = headers
  if (!redirects.has(statusCode) || location === undefined || !URL.canParse(location, from)) return undefined
  return new URL(location, from)
}

async function readOriginal(response: http.IncomingMessage, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const { statusCode = 0, headers } = response
  const cause = new Error(`the origin answered ${statusCode}`)
  try {
    if (statusCode >= 400 && statusCode < 500 && !passingFailures.has(statusCode)) throw unknownSource(cause)
    if (statusCode !== 200) throw new ImageFailure(502, 'The source failed', { cause })
    const isCoded = !/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')
    if (isCoded) throw new ImageFailure(502, 'The source sent a content coding') // the request asked for `identity`
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLargeError()
    return await readBytes(response, maxBytes)
  } finally {
    response.destroy()
  }
}
