// Writes the example site and its styleguide as static files into `public/demo`, by the function behind `npx sitewright styleguide`.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readSiteFiles } from '../dist/cli/site-files.js'
import { readPrevious, writeExport } from '../dist/cli/styleguide-export.js'

const toPath = (path) => fileURLToPath(new URL(path, import.meta.url))
const port = await freePort()
const origin = `http://localhost:${port}`
const env = {
  ...process.env,
  PORT: port,
  SITE_URL: 'https://silver-and-salt.example',
  STYLEGUIDE_ENABLED: 'true',
  NODE_ENV: 'production',
}
const server = spawn(process.execPath, ['server.js'], { cwd: toPath('../examples/vite-hono'), env, stdio: 'ignore' })
try {
  await untilReady()
  const { files, faults } = await readSiteFiles(new URL(origin), ['/styleguide'])
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const folder = toPath('public/demo')
  const { occupied } = writeExport(folder, readPrevious(folder), files)
  if (occupied.length > 0) throw new Error(`Not written, since other files are in their place: ${occupied.join(', ')}`)
  console.log(`The example site: ${files.size} files in docs/public/demo`)
} finally {
  server.kill()
}

async function untilReady() {
  for (let tries = 0; tries < 600 && server.exitCode === null; tries++) {
    const response = await fetch(`${origin}/robots.txt`).catch(() => undefined)
    if (response) return response.body?.cancel()
    await sleep(100)
  }
  throw new Error('The example did not start; build it: npm run build && npm run build -w vite-hono')
}

async function freePort() {
  const probe = createServer().listen(0)
  const { port } = await new Promise((resolve) => probe.once('listening', () => resolve(probe.address())))
  await new Promise((resolve) => probe.close(resolve))
  return String(port)
}
