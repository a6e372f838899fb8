import { BlockList, isIP } from 'node:net'
import { optionError } from '../../../core/option-error.js'

// Networks that are not on the public internet, by the IANA registries of special-purpose addresses
// (https://www.iana.org/assignments/iana-ipv4-special-registry, https://www.iana.org/assignments/iana-ipv6-special-registry).
const blockedNetworks = [
  '0.0.0.0/8', // this network (RFC 791, section 3.2)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598)
  '127.0.0.0/8', // loopback (RFC 1122, section 3.2.1.3)
  '169.254.0.0/16', // link-local, cloud metadata (RFC 3927)
  '172.16.0.0/12', // private (RFC 1918)
  '192.0.0.0/24', // IETF protocol assignments (RFC 6890)
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.88.99.0/24', // 6to4 relays (RFC 7526)
  '192.168.0.0/16', // private (RFC 1918)
  '198.18.0.0/15', // benchmarks (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved, broadcast (RFC 1112, RFC 919)
  // All of IPv6 but 2000::/3, the only global unicast block in use (RFC 4291, section 2.4): unspecified, loopback,
  // IPv4-mapped ::ffff:0:0/96, NAT64 64:ff9b::/96 and 64:ff9b:1::/48 (RFC 6052, RFC 8215), discard 100::/64 (RFC 6666),
  '::/3',
  // segment routing 5f00::/16 (RFC 9602),
  '4000::/2',
  // unique local fc00::/7 (RFC 4193), link-local fe80::/10, site-local fec0::/10, multicast ff00::/8.
  '8000::/1',
  '2001::/23', // IETF protocol assignments, Teredo (RFC 2928, RFC 4380)
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4 (RFC 3056)
  '3fff::/20', // documentation (RFC 9637)
]

/** Whether connecting to an IP address is blocked. */
export type AddressFilter = (address: string) => boolean

/**
 * Creates a filter that blocks all addresses that are not on the public internet, and those that embed another address,
 * which would bypass the check.
 *
 * @param allowed Networks that are exempt, as CIDR (RFC 4632) or single addresses.
 * @throws TypeError for a malformed network.
 * @example createAddressFilter(['10.0.0.0/8'])('169.254.169.254') // true: blocked
 */
export function createAddressFilter(allowed: readonly string[] = []): AddressFilter {
  const blockedList = toBlockLists(blockedNetworks)
  const allowedList = toBlockLists(allowed)
  return (address) => {
    const [bare = ''] = address.split('%', 1) // without the zone of a link-local address
    const family = familyOf(bare)
    if (!family) return true
    return blockedList[family].check(bare, family) && !allowedList[family].check(bare, family)
  }
}

/** Networks that are exempt, as CIDR (RFC 4632) or single addresses: for all hosts, or for each by its name. */
export type AllowedNetworks = readonly string[] | Readonly<Record<string, readonly string[]>>

/**
 * Creates the filters of all hosts. Networks that are allowed for one host are blocked for the others: whoever has the DNS of
 * a host decides which address it leads to.
 *
 * @throws TypeError for a malformed network.
 * @example createAddressFilters({ 'nas.internal': ['10.0.0.0/8'] })('partner.example')('10.0.0.1') // true: blocked
 */
export function createAddressFilters(allowed: AllowedNetworks): (hostname: string) => AddressFilter {
  const others = createAddressFilter(Array.isArray(allowed) ? allowed : [])
  const byHost = new Map(
    Object.entries(Array.isArray(allowed) ? {} : allowed).map(([host, networks]) => [
      host.toLowerCase(),
      createAddressFilter(networks),
    ]),
  )
  return (hostname) => byHost.get(hostname.toLowerCase()) ?? others
}

function toBlockLists(networks: readonly string[]) {
  // Two lists, since Node also looks up IPv4 addresses in IPv6 networks, as IPv4-mapped ones.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const network of networks) {
    const [address = '', bits, ...more] = network.split('/')
    const family = familyOf(address)
    const maxBits = family === 'ipv4' ? 32 : 128
    if (!family || more.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))) {
      throw optionError('allowNetworks', "networks such as '10.0.0.0/8' or 'fd00::/8'", network)
    }
    lists[family].addSubnet(address, bits === undefined ? maxBits : Number(bits), family)
  }
  return lists
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}
