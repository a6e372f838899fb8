import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cacheable, startCache } from '../../testing/harness.js'

const pieces = {
  accept: ['text/html', 'image/avif', 'IMAGE/webp', 'image/*', '*/*', ';q=0.5', ';q=.5', ';q=0', ';Q=1.0', ';level=1'],
  'accept-charset': ['utf-8', 'UTF-8', 'latin1', '*', ';q=0.5', ';q=0.500', ';q=1'],
  'accept-encoding': ['gzip', 'br', 'identity', '*', ';q=0', ';q=0.50', ';q=1'],
  'accept-language': ['de', 'de-DE', 'en', '*', ';q=0.7', ';q=0.70', ';Q=0.7', ';q=1', ';q=.7', 'd e'],
  cookie: ['a=1', 'b=2', ';'],
  forwarded: ['for=_a', 'for="[::1]"', 'proto=https', 'proto=http', 'host=site.test', ';', ';'],
}
/** Two values of a field: the same members, or a few less, with other separators. */
const twoValues = (name: keyof typeof pieces) =>
  fc
    .array(fc.record({ piece: fc.constantFrom(...pieces[name]), join: join(), otherJoin: join(), isLost: rarely() }), {
      maxLength: 6,
    })
    .map((parts) => [
      parts.map(({ piece, join }) => piece + join).join('').trim(),
      parts.map(({ piece, otherJoin, isLost }) => (isLost ? '' : piece + otherJoin)).join('').trim(),
    ]) // biome-ignore format: side by side
const join = () =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(',') }, fc.constantFrom(', ', ' , ', ' ', '\t', ';', ''))
const rarely = () => fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true))

/** What a handler makes of a field. */
const readers: Record<string, (value: string | null) => unknown> = {
  'the whole': (value) => value,
  'the first member': (value) => value?.split(',')[0]?.match(/proto=\w+|q=[\d.]+/)?.[0],
  'the last member': (value) =>
    value
      ?.split(',')
      .at(-1)
      ?.match(/proto=\w+|q=[\d.]+/)?.[0],
  words: (value) => ['avif', 'webp', 'en', 'html', 'br', 'https'].filter((word) => value?.includes(word)),
}
const names = Object.keys(pieces) as (keyof typeof pieces)[]

it.each(
  names
    .flatMap((name) => Object.keys(readers).map((reader) => [name, reader] as const))
    // Clients are not told apart by their address.
    .filter(([name, reader]) => name !== 'forwarded' || reader !== 'the whole'),
)('nobody receives of another one what a handler made of %s, by %s', async (name, reader) => {
  const read = readers[reader] as (value: string | null) => unknown
  const start = () => {
    const cache = startCache()
    // What states the URL is part of the key without a Vary.
    const vary: Record<string, string> = name === 'forwarded' ? {} : { Vary: name }
    cache.serve(({ headers }) => cacheable(JSON.stringify(read(headers.get(name))) ?? '', vary))
    return async (value: string) => (await cache.get('/', value ? { [name]: value } : {})).body
  }
  await fc.assert(
    fc.asyncProperty(twoValues(name), async ([one = '', other = '']) => {
      const shared = start()
      await shared(one)
      expect(await shared(other)).toBe(await start()(other))
    }),
    { numRuns: 300 },
  )
})
