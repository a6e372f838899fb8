import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { onTestFinished, vi } from 'vitest'
import { freePort } from '../setup/free-port.js'
import { root } from './pages.js'

/** The token of the servers. */
export const secret = 'a-long-random-secret'

/** Runs a server of the snippets, by default in the folder of the example site, which has photographs and a stylesheet. */
export async function withServer(
  snippet: string,
  use: (origin: string) => Promise<void>,
  folder = 'examples/site',
): Promise<void> {
  const cwd = fileURLToPath(new URL(folder, root))
  const script = fileURLToPath(new URL(`docs/snippets/${snippet}`, root))
  const port = String(await freePort())
  const env = { ...process.env, PORT: port, REVALIDATE_SECRET: secret, STYLEGUIDE_ENABLED: 'true' }
  const child = spawn('node', [script], { cwd, env, stdio: 'inherit' })
  const closed = once(child, 'close')
  try {
    const origin = `http://127.0.0.1:${port}`
    await vi.waitFor(() => fetch(origin), { timeout: 20_000, interval: 50 })
    await use(origin)
  } finally {
    child.kill()
    await closed
  }
}

/** Compiles a server that is written in TypeScript, and runs it. */
export async function withCompiledServer(snippet: string, use: (origin: string) => Promise<void>): Promise<void> {
  const entry = fileURLToPath(new URL(`docs/snippets/${snippet}`, root))
  const compiled = `.${process.pid}-${Date.now()}.compiled.mjs`
  const outfile = entry.replace(/\.ts$/, compiled)
  onTestFinished(() => rm(outfile))
  await build({ entryPoints: [entry], outfile, bundle: true, packages: 'external', format: 'esm', jsx: 'automatic' })
  await withServer(snippet.replace(/\.ts$/, compiled), use)
}
