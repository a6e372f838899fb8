import { lookup as lookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { RefusedSource } from '../failure.js'
import type { AddressRule } from './addresses.js'

export interface ConnectorOptions {
  isRefused: AddressRule
  /** Longest wait for a connection, in milliseconds. */
  timeout: number
  /** Resolves names. Default: `dns.lookup`. */
  lookup?: LookupFunction | undefined
}

/**
 * Creates undici's `connect` with a check of every address, at the moment of connecting: the addresses that were
 * checked are those that are dialled, so a second answer of the DNS cannot differ. A name of which one address is
 * refused is refused whole, with an `ImageFailure` of status 404.
 */
export function createConnector({ isRefused, timeout, lookup }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({ timeout, lookup: createCheckedLookup(isRefused, lookup) })
  return (options, callback) => {
    // Node does not look up what is an address already.
    if (!isIP(options.hostname) || !isRefused(options.hostname)) return connect(options, callback)
    callback(refusal(options.hostname, options.hostname), null)
  }
}

function createCheckedLookup(isRefused: AddressRule, lookup: LookupFunction = lookupAddress): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, '', 0)
      const addresses = typeof found === 'string' ? [{ address: found, family: family ?? isIP(found) }] : found
      const refused = addresses.find(({ address }) => isRefused(address))
      const [first] = addresses
      if (refused || !first) return callback(refusal(hostname, refused?.address ?? 'no address'), '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

function refusal(hostname: string, address: string) {
  return new RefusedSource(`${hostname} is at ${address}; if that is meant, name its network in allowNetworks`)
}
