import { createRequire } from 'node:module'
import { afterEach, expect, test } from 'vitest'
import { bundleExample } from './bundle.js'
import { type MeasuredServer, startMeasured } from './server.js'
import { sendTraffic } from './traffic.js'

const folder = (name: string) => new URL(`../../examples/${name}/`, import.meta.url)
const next = createRequire(folder('next')).resolve('next/dist/bin/next')

/**
 * How each example, which `npm test` has built, is started in production. A bundle has the same code as the files, in scopes that
 * keep more alive.
 */
const servers: Record<string, () => Promise<MeasuredServer>> = {
  'Next.js': () => startMeasured([next, 'start', '--port', 'PORT', '--hostname', '127.0.0.1'], folder('next')),
  'Hono, bundled and minified into one file': async () =>
    startMeasured([await bundleExample(folder('vite-hono'))], folder('vite-hono')),
  'Express, bundled and minified into one file': async () =>
    startMeasured([await bundleExample(folder('vite-express'))], folder('vite-express')),
}

// Every image is 10 KB and more, so what keeps one response of a hundred is above the bound.
const count = 2_800
const maxGrowth = 500

let server: MeasuredServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

test.each(Object.keys(servers))(`%s keeps nothing of ${count} requests`, { timeout: 600_000 }, async (name) => {
  server = await servers[name]?.()
  if (!server) throw new Error('not started')
  // Fills the caches and compiles the code.
  await sendTraffic(server.url, 1_400)
  const bytesBefore = await server.usedBytes()
  const statuses = await sendTraffic(server.url, count)
  const growth = ((await server.usedBytes()) - bytesBefore) / count
  expect(Object.keys(statuses).sort()).toEqual(['0', '200', '304', '404'])
  expect(growth).toBeLessThan(maxGrowth)
})
