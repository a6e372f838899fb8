import { createRequire } from 'node:module'
import { afterEach, expect, test } from 'vitest'
import { isLong, short } from '../setup/long.js'
import { bundleExample } from './bundle.js'
import { type MeasuredServer, startMeasured } from './server.js'
import { sendTraffic } from './traffic.js'

const folder = (name: string) => new URL(`../../examples/${name}/`, import.meta.url)
const next = createRequire(folder('next')).resolve('next/dist/bin/next')

/** How each example, which `npm test` has built, is started in production. */
const servers: Record<string, () => Promise<MeasuredServer>> = {
  'Next.js': () => startMeasured([next, 'start', '--port', 'PORT', '--hostname', '127.0.0.1'], folder('next')),
  Hono: () => startMeasured(['server.js'], folder('vite-hono')),
  Express: () => startMeasured(['server.js'], folder('vite-express')),
  'Hono, bundled and minified into one file': async () =>
    startMeasured([await bundleExample(folder('vite-hono'))], folder('vite-hono')),
  'Express, bundled and minified into one file': async () =>
    startMeasured([await bundleExample(folder('vite-express'))], folder('vite-express')),
}

// Every image is 10 KB and more, so what keeps one response of a hundred is above the bound.
const count = short(1_400, 28_000)
const maxGrowth = short(1_000, 200)

let server: MeasuredServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

// A bundle has the same code as the files, in scopes that keep more alive: the short form has it in their place.
const names = Object.keys(servers).filter((name) => isLong || !['Hono', 'Express'].includes(name))

test.each(names)(`%s keeps nothing of ${count} requests`, { timeout: isLong ? 900_000 : 120_000 }, async (name) => {
  server = await servers[name]?.()
  if (!server) throw new Error('not started')
  // Fills the caches and compiles the code.
  await sendTraffic(server.url, short(1_400, 7_000))
  const bytesBefore = await server.usedBytes()
  const statuses = await sendTraffic(server.url, count)
  const growth = ((await server.usedBytes()) - bytesBefore) / count
  expect(Object.keys(statuses).sort()).toEqual(['0', '200', '304', '404'])
  expect(growth).toBeLessThan(maxGrowth)
})
