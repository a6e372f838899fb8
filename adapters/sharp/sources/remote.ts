import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { BodyTooLargeError } from '../../../core/http/body.js'
import { createSourceMatcher, sourceTag } from '../../../core/image/internal.js'
import { matchNames } from '../../../core/options.js'
import { startDeadline } from '../../../core/timeout.js'
import { blockedSource, ImageFailure, rejected } from '../failure.js'
import type { ResolvedOptions } from '../options.js'
import { blockedAddress, createAddressFilters, createCheckedLookup } from './addresses.js'
import { conditionsOf, originStateOf, readOriginResponse, redirectTarget } from './origin-response.js'
import type { OriginalSource, OriginState } from './original.js'

const maxRedirects = 3
const usualHeaders = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'sitewright' }

/**
 * Creates a function that returns originals on other servers: over http and https, from public addresses only, with at
 * most three redirects, each of which is checked like the first URL. See `ImageFailure` for its failures.
 *
 * @param lookup Resolves host names. Default: `dns.lookup`.
 * @throws TypeError for a malformed network in `allowNetworks`.
 */
export function createRemoteSource(
  { allowNetworks, maxSourceBytes: maxBytes, sourceTimeout, remoteMaxAge, ...options }: ResolvedOptions,
  lookup?: LookupFunction,
): (url: string) => OriginalSource {
  const isAllowed = createSourceMatcher(Object.keys(options.sources))
  const filterOf = createAddressFilters(allowNetworks)
  const checkedLookup = createCheckedLookup(filterOf, lookup)
  const isSignature = matchNames('signatureParameters', options.signatureParameters)
  const originHeaders = Object.entries(options.headers).map(([prefix, fields]) => ({
    isFor: createSourceMatcher([prefix]),
    fields,
  }))

  /**
   * Opens a new connection for each request, so that its address has just been checked. Resolves with the head of the
   * response.
   */
  const request = (url: URL, signal: AbortSignal, known: OriginState | undefined) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      const hostname = url.hostname.replace(/^\[|\]$/g, '')
      // Node does not call `lookup` for IP addresses.
      if (isIP(hostname) && filterOf(hostname)(hostname)) throw blockedAddress(hostname, hostname)
      const { get } = url.protocol === 'https:' ? https : http
      // Chosen by the URL of each request, so that a redirect does not take them to another origin.
      const fields = originHeaders.find(({ isFor }) => isFor(url.href))?.fields
      const headers = { ...usualHeaders, ...fields, ...conditionsOf(known) }
      const sent = get(url, { agent: false, headers, lookup: checkedLookup, signal }, (response) => {
        // Otherwise a reset would end a body of unknown length as if it were complete.
        sent.on('error', (error) => response.destroy(error))
        resolve(response)
      })
      sent.on('error', reject)
      // A 101 ends the connection with neither a response nor an error.
      sent.on('close', () => reject(new Error('the origin closed the connection without a response')))
    })

  const download = async (url: string, signal: AbortSignal, known?: OriginState) => {
    let target = new URL(url)
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const response = await request(target, signal, known)
      const next = redirectTarget(response, target)
      const isUnchanged = known && response.statusCode === 304
      const state = { ...(isUnchanged && known), ...originStateOf(response) }
      if (!next && !isUnchanged) return { bytes: await readOriginResponse(response, maxBytes), state }
      response.destroy()
      if (!next) return { bytes: undefined, state }
      if (!isAllowed(next.href)) throw blockedSource(`${target} redirects to ${next}, which is not a source`)
      target = next
    }
    throw new ImageFailure(502, `The source redirects more than ${maxRedirects} times`)
  }

  const read = async (url: string, signal: AbortSignal, known?: OriginState) => {
    const deadline = startDeadline(sourceTimeout, signal)
    try {
      return await download(url, deadline.signal, known)
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

  return (source) => {
    const url = new URL(source).href
    const version = `remote\n${withoutParameters(url, isSignature)}`
    return {
      group: new URL(url).origin,
      tag: sourceTag(url),
      digestTtl: remoteMaxAge * 1000,
      version: () => version,
      read: async (signal, known) => ({ ...(await read(url, signal, known)), version }),
    }
  }
}

/** Returns a URL without some parameters of its query. */
function withoutParameters(url: string, isLeftOut: (name: string) => boolean): string {
  const start = url.indexOf('?')
  if (start < 0) return url
  const kept = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => !isLeftOut(pair.replace(/=.*/s, '')))
  return [url.slice(0, start), ...(kept.length > 0 ? [kept.join('&')] : [])].join('?')
}
