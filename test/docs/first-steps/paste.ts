import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort } from '../../setup/free-port.js'

const keptPackages = mkdtempSync(join(tmpdir(), 'first-steps-packages-'))

/**
 * Creates an empty folder that is removed after the test.
 *
 * @param keepsPackages Whether it begins with the packages of the test before it, and leaves its own to the next. npm removes those
 *   that its command does not name, and reads only the others from its cache, which takes most of the time.
 */
export function emptyFolder(name = 'site', keepsPackages = false): string {
  const parent = mkdtempSync(join(tmpdir(), 'first-steps-'))
  const folder = join(parent, name)
  mkdirSync(folder)
  const move = (from: string, to: string) => {
    const packages = join(from, 'node_modules')
    if (keepsPackages && existsSync(packages)) renameSync(packages, join(to, 'node_modules'))
  }
  move(keptPackages, folder)
  onTestFinished(() => {
    move(folder, keptPackages)
    rmSync(parent, { recursive: true, force: true, maxRetries: 5 })
  })
  return folder
}

/**
 * Returns the environment in which package managers ask a registry. Tarballs come from the cache of this machine's npm; what `npx` has
 * installed does not, since it would be the package of an earlier run.
 */
export function environmentFor(registry: string, folder: string): Record<string, string | undefined> {
  const cache = join(folder, '../npm-cache')
  mkdirSync(cache, { recursive: true })
  const shared = join(process.env.npm_config_cache ?? join(homedir(), '.npm'), '_cacache')
  mkdirSync(shared, { recursive: true })
  symlinkSync(shared, join(cache, '_cacache'))
  const siteEnvironment = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_ENV$|VITEST|CI$)/i.test(name))
  return {
    ...Object.fromEntries(siteEnvironment),
    npm_config_registry: registry,
    npm_config_cache: cache,
    npm_config_audit: 'false',
    // The registry's lists of versions are asked for once.
    npm_config_prefer_offline: 'true',
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    npm_config_update_notifier: 'false',
    NEXT_TELEMETRY_DISABLED: '1',
    NO_PROXY: [process.env.NO_PROXY, '127.0.0.1'].filter(Boolean).join(','),
  }
}

export interface Pasted {
  /** Origin of the server. */
  url: string
  /** All that was printed so far. */
  output: () => string
}

/**
 * Runs lines in a shell, in a folder, until the server that the last of them starts answers. Ends it after the test.
 *
 * @param command The shell, and its arguments. It reads the lines from its standard input, if they are not in the arguments.
 */
export async function paste(
  folder: string,
  lines: string,
  registry: string,
  { command = ['sh', '-c', lines], input }: { command?: string[]; input?: string } = {},
): Promise<Pasted> {
  const port = await freePort()
  const [program = 'sh', ...shellArguments] = command
  // A group of its own, so that the children of the shell end with it.
  const child = spawn(program, shellArguments, {
    cwd: folder,
    env: { ...environmentFor(registry, folder), PORT: String(port) } as NodeJS.ProcessEnv,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (printed += text))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  onTestFinished(async () => {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM')
    await ended
  })
  child.stdin?.write(input as string)

  const url = `http://localhost:${port}`
  for (const deadline = Date.now() + 240_000; Date.now() < deadline && child.exitCode === null; await sleep(100)) {
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response) return { url, output: () => printed }
  }
  throw new Error(`no server answered after:\n${lines}\n\n${printed}`)
}
