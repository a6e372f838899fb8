import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { freePort } from '../setup/free-port.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

export const secret = 'between-us-and-no-one-else'
export const environment = {
  ...process.env,
  NODE_ENV: 'production' as const,
  MEDIA: join(root, 'examples/site/media'),
  REVALIDATE_SECRET: secret,
}

/** Starts a script of a site. */
export async function startSite(cwd: string, script: string, env: Record<string, string> = {}) {
  const port = await freePort()
  const options = { cwd, env: { ...environment, PORT: String(port), ...env } }
  const child = spawn(process.execPath, [script], { ...options, stdio: ['ignore', 'inherit', 'pipe'] })
  const ended = once(child, 'close')
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  const url = `http://127.0.0.1:${port}`
  const close = async () => {
    child.kill('SIGKILL')
    await ended
  }
  const answer = async () => {
    if (child.exitCode === null) await (await fetch(`${url}/favicon.ico`)).text()
    else throw new Error(log)
  }
  await vi.waitFor(answer, { timeout: 30_000, interval: 100 })
  return { url, close, readLog: () => log }
}
