import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createImageProxy } from '../../adapters/imgproxy/testing/proxy.js'
import { nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, memoryStore } from '../cache/index.js'
import { namedMediaTypes } from '../http/negotiation.js'
import { normalizeImageAccept } from './image-response.js'
import { encodeSource } from './url.js'

const path = `/_image/${encodeSource('/media/cat.jpg')}?width=640`
const options = { key: '00', salt: '00', sources: ['/media/'] }
const servers: ReturnType<typeof createServer>[] = []
const listen = async (server: ReturnType<typeof createServer>) => {
  servers.push(server.listen(0, '127.0.0.1'))
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections()
})

// imgproxy looks only for the names of the types, and ignores their quality.
const formatFor = (accept = '') => ['image/avif', 'image/jxl', 'image/webp'].find((type) => accept.includes(type))
const receivedAccepts: (string | undefined)[] = []
let site: string

beforeAll(async () => {
  const serviceUrl = await listen(
    createServer((req, res) => {
      receivedAccepts.push(req.headers.accept)
      const type = formatFor(req.headers.accept) ?? 'image/jpeg'
      res.writeHead(200, { 'Content-Type': type, Vary: 'Accept', 'Cache-Control': 'max-age=31536000' }).end(type)
    }),
  )
  const store = memoryStore({ maxBytes: 1e7 })
  const cache = createResponseCache({ store, bypass: () => false, fields: { Accept: normalizeImageAccept } })
  site = await listen(createServer(nodeListener(cache.wrap(createImageProxy({ ...options, serviceUrl })))))
})

const typeFor = async (accept: string) => await (await fetch(site + path, { headers: { accept } })).text()

test.each([
  ['image/avif;q=0,image/webp,*/*', 'image/webp'],
  ['image/avif;Q=0.000, image/webp;q=0, */*', 'image/jpeg'],
  ['image/avif ; q=0', 'image/jpeg'],
  ['IMAGE/AVIF', 'image/avif'],
  ['image/avif-sequence,image/jxl;q=0', 'image/jpeg'],
  ['text/html;note="image/avif"', 'image/jpeg'],
  ['x-image/avif', 'image/jpeg'],
])('the service is asked for no format that the visitor refuses: %s', async (accept, type) => {
  expect(await typeFor(accept)).toBe(type)
})

test('the service gets at most sixteen values of Accept, and the visitor gets only formats that Accept names', async () => {
  const pieces = ['image/avif', 'image/webp', 'image/jxl', 'image/AVIF', 'image/png', 'image/*', '*/*', 'text/x']
  const weights = ['', ';q=0', ';q=0.5', '; Q=0.0', ';q=1', ';level=1;q=0', ';q']
  const range = fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...weights)).map((pair) => pair.join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(range, { maxLength: 5 }), async (ranges) => {
      const type = await typeFor(ranges.join(','))
      const named = namedMediaTypes(ranges.join(','))
      expect(type === 'image/jpeg' || named.has(type)).toBe(true)
    }),
    { numRuns: 300 },
  )
  expect(new Set(receivedAccepts).size).toBeLessThanOrEqual(16)
})
