import { execFile, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../setup/free-port.js'

type Environment = Record<string, string>

const next = createRequire(import.meta.url).resolve('next/dist/bin/next')
const production = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }

/** Runs `next build` in the folder of a site. */
export async function buildSite(cwd: string, environment: Environment = {}): Promise<void> {
  await promisify(execFile)(process.execPath, [next, 'build'], { cwd, env: { ...production, ...environment } })
}

/** Runs `next start` in the folder of a built site, on a free port, until it answers requests of its path `/`. */
export async function startSite(cwd: string, environment: Environment = {}) {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', port], {
    cwd,
    env: { ...production, ...environment },
    stdio: 'ignore',
  })
  const close = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.kill()) await ended
  }
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
    if (child.exitCode !== null) break
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response) return { url, close }
  }
  child.kill('SIGKILL')
  throw new Error('next start did not answer')
}
