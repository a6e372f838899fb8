// Builds all examples at once: each has parts that keep only one core busy.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const builds = ['example-next', 'vite-hono', 'vite-express'].map(async (name) => {
  const child = spawn(`npm run --silent build -w ${name}`, { shell: true, stdio: 'inherit' })
  const [code] = await once(child, 'close')
  return code
})
if ((await Promise.all(builds)).some((code) => code !== 0)) process.exitCode = 1
