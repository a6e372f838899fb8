import { lookup as lookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { createHttp1Connector } from '../../node/http-client.js'
import { BlockedSource } from '../failure.js'
import type { AddressFilter } from './addresses.js'

export interface ConnectorOptions {
  /** Returns which addresses are blocked for a host. */
  filterOf: (hostname: string) => AddressFilter
  /** Maximum wait for a connection, in milliseconds. */
  timeout: number
  /** Resolves names. Default: `dns.lookup`. */
  lookup?: LookupFunction | undefined
}

/**
 * Creates undici's `connect` with a check of every address at the moment of connecting. It connects to the addresses
 * that were checked, so DNS rebinding cannot change them in between. A name with one blocked address is blocked
 * altogether, with an `ImageFailure` of status 404.
 */
export function createConnector({ filterOf, timeout, lookup }: ConnectorOptions): buildConnector.connector {
  const connect = createHttp1Connector({ timeout, lookup: createCheckedLookup(filterOf, lookup) })
  return (options, callback) => {
    // Node does not call `lookup` for addresses.
    if (!isIP(options.hostname) || !filterOf(options.hostname)(options.hostname)) return connect(options, callback)
    callback(blocked(options.hostname, options.hostname), null)
  }
}

function createCheckedLookup(
  filterOf: ConnectorOptions['filterOf'],
  lookup: LookupFunction = lookupAddress,
): LookupFunction {
  const lookupOnce = shareLookups(lookup)
  return (hostname, options, callback) => {
    lookupOnce(hostname, options, (error, found, family) => {
      if (error) return callback(error, '', 0)
      const addresses = typeof found === 'string' ? [{ address: found, family: family ?? isIP(found) }] : found
      const isBlocked = filterOf(hostname)
      const blockedAddress = addresses.find(({ address }) => isBlocked(address))
      const [first] = addresses
      if (blockedAddress || !first) return callback(blocked(hostname, blockedAddress?.address ?? 'no address'), '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

type LookupCallback = Parameters<LookupFunction>[2]

// Milliseconds. A resolver answers in less, unless it has to ask again.
const maxLookupTime = 1_000

/**
 * Looks up a name once for all who ask at the same time. `dns.lookup` has two of the four threads that Node reads files
 * with: connections to one name that does not resolve would take both. Two such names take them still, so a name that takes
 * longer than a second has the addresses of its last answer, which are checked again.
 */
function shareLookups(lookup: LookupFunction): LookupFunction {
  const waiting = new Map<string, LookupCallback[]>()
  // No more than the names among the sources.
  const lastAnswers = new Map<string, Parameters<LookupCallback>>()
  return (hostname, options, callback) => {
    const key = JSON.stringify([hostname, options.family, options.hints])
    let isAnswered = false
    const answer: LookupCallback = (...result) => {
      clearTimeout(timer)
      if (!isAnswered) callback(...result)
      isAnswered = true
    }
    const last = lastAnswers.get(key)
    const timer = last && setTimeout(answer, maxLookupTime, ...last)
    const others = waiting.get(key)
    if (others) return void others.push(answer)
    const callbacks = [answer]
    waiting.set(key, callbacks)
    lookup(hostname, { ...options, all: true }, (...result) => {
      waiting.delete(key)
      if (!result[0]) lastAnswers.set(key, result)
      for (const notify of callbacks) notify(...result)
    })
  }
}

function blocked(hostname: string, address: string) {
  return new BlockedSource(`${hostname} resolves to ${address}; to allow it, add its network to allowNetworks`)
}
