import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningExample, startExample } from './start.js'

const buildFolder = fileURLToPath(new URL('../../examples/next/.next', import.meta.url))
const id = randomUUID()
let example: RunningExample

beforeAll(async () => {
  example = await startExample('example-next')
}, 120_000)

const findFiles = async (part: string) => {
  const files = await readdir(buildFolder, { recursive: true })
  return files.filter((file) => file.includes(part))
}

afterAll(async () => {
  await example?.close()
  for (const file of await findFiles(id)) await rm(join(buildFolder, file), { recursive: true, force: true })
})

const statusOf = async (path: string) => {
  const response = await fetch(example.url + path)
  await response.text()
  return response.status
}

it('Next.js writes no file for an address that a visitor makes up', async () => {
  const addresses = Array.from({ length: 30 }, (_, index) => `/${id}-${index}`)
  const statuses = await Promise.all(addresses.map(statusOf))
  expect(new Set(statuses)).toEqual(new Set([404]))
  expect(await findFiles(id)).toEqual([])
})

it('Next.js lets a made-up address be cached for a minute, because a page may be published there', async () => {
  const { status, headers } = await fetch(`${example.url}/${id}-first`)
  expect([status, headers.get('cache-control')]).toEqual([404, expect.stringMatching(/^s-maxage=60(,|$)/)])
})

it('Next.js answers the second request for a page from its cache', async () => {
  await statusOf('/about')
  const again = await fetch(`${example.url}/about`)
  expect([again.status, again.headers.get('x-nextjs-cache')]).toEqual([200, 'HIT'])
  expect(await again.text()).toContain('</html>')
})
