import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAddressFilter } from './addresses.js'

const isBlocked = createAddressFilter()

describe('addresses on the public internet are allowed', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.255',
  ])('%s', (address) => {
    expect(isBlocked(address)).toBe(false)
  })
  test.each(['2606:4700:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888', '2001:200::1', '3ffe::1'])(
    '%s',
    (address) => {
      expect(isBlocked(address)).toBe(false)
    },
  )
})

describe('all other addresses are blocked', () => {
  test.each([
    ['this network', '0.0.0.0', '0.255.255.255'],
    ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
    ['carrier-grade NAT', '100.64.0.0', '100.127.255.255'],
    ['loopback', '127.0.0.1', '127.255.255.255', '::1'],
    ['link-local, cloud metadata', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
    ['protocol assignments, relays', '192.0.0.8', '192.88.99.1'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['benchmarks', '198.18.0.1', '198.19.255.255', '2001:2::1'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
    ['reserved and broadcast', '240.0.0.1', '255.255.255.255'],
    ['unspecified', '::'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '0:0:0:0:0:ffff:a9fe:a9fe'],
    ['IPv4-compatible', '::7f00:1', '::10.0.0.1'],
    ['6to4', '2002:7f00:1::', '2002:808:808::1'],
    ['NAT64', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1'],
    ['Teredo', '2001::1', '2001:0:53aa:64c::1'],
    ['unique local', 'fc00::1', 'fd12:3456::1'],
    ['site-local', 'fec0::1'],
    ['discard, segment routing, unallocated', '100::1', '5f00::1', '4000::1', 'e000::1'],
    ['not addresses', '', 'localhost', '127.1', '0x7f000001', '2130706433', '[::1]', '1.1.1.1.', '01.1.1.1'],
  ])('%s', (_, ...addresses) => {
    for (const address of addresses) expect([address, isBlocked(address)]).toEqual([address, true])
  })
})

describe('allowNetworks', () => {
  const withAllowed = createAddressFilter(['10.1.0.0/16', '127.0.0.1', 'fd00::/8'])
  test.each([
    ['10.1.2.3', false],
    ['10.2.0.0', true],
    ['127.0.0.1', false],
    ['127.0.0.2', true],
    ['fd00::1', false],
    ['fc00::1', true],
  ])('%s', (address, blocked) => {
    expect(withAllowed(address)).toBe(blocked)
  })

  test.each(['10.0.0.0/33', '10.0.0/8', 'localhost', '10.0.0.0/8/8', '10.0.0.0/', '::/129', '', 'fd00::/-1'])(
    '%s is not a network',
    (network) => {
      expect(() => createAddressFilter([network])).toThrow(
        `allowNetworks: expected networks such as '10.0.0.0/8' or 'fd00::/8', got '${network}'`,
      )
    },
  )
})

describe('properties', () => {
  const byte = fc.nat(255)
  const networks = [
    [10, 0, 0, 0, 8],
    [100, 64, 0, 0, 10],
    [127, 0, 0, 0, 8],
    [169, 254, 0, 0, 16],
    [172, 16, 0, 0, 12],
    [192, 168, 0, 0, 16],
    [224, 0, 0, 0, 3],
  ] as const

  test('every address of a private network is blocked, also in each form that embeds it in IPv6', () => {
    fc.assert(
      fc.property(fc.constantFrom(...networks), fc.tuple(byte, byte, byte, byte), ([a, b, c, d, bits], random) => {
        const network = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
        const host = ((random[0] << 24) | (random[1] << 16) | (random[2] << 8) | random[3]) >>> 0
        const number = (network | (host & (0xffffffff >>> bits))) >>> 0
        const ipv4 = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
        const [high, low] = [number >>> 16, number & 0xffff].map((half) => half.toString(16))
        for (const address of [
          ipv4,
          `::ffff:${ipv4}`,
          `::${ipv4}`,
          `64:ff9b::${ipv4}`,
          `2002:${high}:${low}::1`,
          `2001:0:${high}:${low}::1`,
        ]) {
          expect([address, isBlocked(address)]).toEqual([address, true])
        }
      }),
    )
  })

  test('IPv6 outside of 2000::/3 is blocked', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const firstGroup = Number.parseInt(address.split(':')[0] || '0', 16)
        if (firstGroup < 0x2000 || firstGroup > 0x3fff) expect([address, isBlocked(address)]).toEqual([address, true])
      }),
    )
  })
})
