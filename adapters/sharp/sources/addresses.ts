import { lookup as lookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { optionError } from '../../../core/option-error.js'
import { blockedSource, type ImageFailure } from '../failure.js'

// Only this network is in use on the public internet (RFC 4291, section 2.4), but ipaddr.js treats others as public.
const globalIpv6 = ipaddr.parseCIDR('2000::/3')

/** Whether connecting to an IP address is blocked. */
export type AddressFilter = (address: string) => boolean

/** Networks that are exempt, as CIDR (RFC 4632) or single addresses: one list for all hosts, or lists by host name. */
export type AllowedNetworks = readonly string[] | Readonly<Record<string, readonly string[]>>

/**
 * Creates a filter that blocks all addresses outside the public internet. It also blocks addresses that embed another
 * address (IPv4-mapped, 6to4, NAT64, Teredo), because the embedded address would bypass the check.
 *
 * @param allowed Networks that are exempt.
 * @throws TypeError for a malformed network.
 * @example createAddressFilter(['10.0.0.0/8'])('169.254.169.254') // true: blocked
 */
export function createAddressFilter(allowed: readonly string[] = []): AddressFilter {
  const allowedNetworks = allowed.map(parseNetwork)
  return (text) => {
    // ipaddr.js also parses octal, hexadecimal and shortened addresses.
    if (!isIP(text)) return true
    const address = ipaddr.parse(text)
    const isAllowed = allowedNetworks.some((network) => isIn(address, network))
    const isGlobal = address.range() === 'unicast' && (address.kind() === 'ipv4' || isIn(address, globalIpv6))
    return !isAllowed && !isGlobal
  }
}

/**
 * Creates the filters for all hosts. Networks that are allowed for one host stay blocked for the others, because the
 * DNS of a host decides which address it resolves to.
 *
 * @throws TypeError for a malformed network.
 * @example createAddressFilters({ 'nas.internal': ['10.0.0.0/8'] })('partner.example')('10.0.0.1') // true: blocked
 */
export function createAddressFilters(allowed: AllowedNetworks): (hostname: string) => AddressFilter {
  const [forAll, byHost] = Array.isArray(allowed) ? [allowed, {}] : [[], allowed]
  const others = createAddressFilter(forAll)
  const filters = new Map(
    Object.entries(byHost).map(([host, networks]) => [host.toLowerCase(), createAddressFilter(networks)]),
  )
  return (hostname) => filters.get(hostname.toLowerCase()) ?? others
}

/**
 * Creates a lookup that checks every address at the moment of connecting. Connections go to the addresses that were
 * checked, so DNS rebinding cannot change them in between. A host with any blocked address is blocked altogether.
 *
 * @param lookup Resolves names. Default: `dns.lookup`.
 */
export function createCheckedLookup(
  filterOf: (hostname: string) => AddressFilter,
  lookup: LookupFunction = lookupAddress,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found
      const blocked = addresses.find(({ address }) => filterOf(hostname)(address))
      const [first] = addresses
      if (blocked || !first) return callback(blockedAddress(hostname, blocked?.address ?? 'no address'), '', 0)
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/** Creates the failure for a host with a blocked address. */
export function blockedAddress(hostname: string, address: string): ImageFailure {
  return blockedSource(`${hostname} resolves to ${address}; to allow it, add its network to allowNetworks`)
}

type Address = ReturnType<typeof ipaddr.parse>
type Network = ReturnType<typeof ipaddr.parseCIDR>

function isIn(address: Address, network: Network): boolean {
  return address.kind() === network[0].kind() && address.match(network)
}

function parseNetwork(text: string): Network {
  const [address = ''] = text.split('/')
  const family = isIP(address)
  const cidr = text.includes('/') ? text : `${text}/${family === 4 ? 32 : 128}`
  if (family && ipaddr.isValidCIDR(cidr)) return ipaddr.parseCIDR(cidr)
  throw optionError('allowNetworks', "networks such as '10.0.0.0/8' or 'fd00::/8'", text)
}
