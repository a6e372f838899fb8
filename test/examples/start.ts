import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../setup/free-port.js'

const root = join(import.meta.dirname, '../..')

export interface RunningExample {
  /** Origin, such as `http://127.0.0.1:41234`. */
  url: string
  /** Returns the output of the example so far. */
  output(): string
  /** Ends the example as an operator does, with SIGTERM, and waits. */
  close(): Promise<void>
}

/**
 * Starts an example, which `npm test` has built, in production mode on a free port, and waits until it answers. It
 * runs the script `serve` without npm, which takes as much time as the server.
 */
export async function startExample(name: string, env: Record<string, string> = {}): Promise<RunningExample> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const folder = join(root, 'examples', name.replace('example-', ''))
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const child = spawn(scripts.serve, {
    cwd: folder,
    shell: true,
    env: { ...process.env, PATH, HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group, so that the children of the shell end with it.
    detached: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      printed += text
    })
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const close = async () => {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM')
    await ended
  }

  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
    if (child.exitCode !== null) throw new Error(`${name} ended before it answered:\n${printed}`)
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response) return { url, output: () => printed, close }
  }
  await close()
  throw new Error(`${name} did not answer:\n${printed}`)
}
