import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const binaries = {
  node22: 'node22-linux-x64/bin/node',
  node24: 'node24-linux-x64/bin/node',
  node26: 'node26-linux-x64/bin/node',
  bun: '@oven/bun-linux-x64/bin/bun',
  deno: '@deno/linux-x64-glibc/deno',
  workerd: '@cloudflare/workerd-linux-64/bin/workerd',
}

export type Runtime = keyof typeof binaries

/**
 * Returns the path of a runtime's binary: of a folder's packages, or what a variable such as BUN or NODE24 names.
 *
 * @throws Error that says what to set where no package has it.
 */
export function findRuntime(name: Runtime, folder = import.meta.dirname): string {
  const file = process.env[name.toUpperCase()] ?? join(folder, 'node_modules', binaries[name])
  if (existsSync(file)) return file
  throw new Error(
    `${name}: no binary at ${file}. On other systems than Linux on x64, set ${name.toUpperCase()}=/path/to/it`,
  )
}

/** Starts a program that prints where it listens, as URL or as workerd's control message. */
export async function start(file: string, args: readonly string[]) {
  const child = spawn(file, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const close = async () => {
    child.kill()
    await ended
  }
  return { url: await readUrl(child), close }
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (text: Buffer) => {
      output += text
      const port = /http:\/\/127\.0\.0\.1:(\d+)|"port":(\d+)/.exec(output)
      if (port) resolve(`http://127.0.0.1:${port[1] ?? port[2]}`)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`ended with ${code} before it listened: ${output}`)))
  })
}
