import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { vi } from 'vitest'

/**
 * Installs packages into a folder of their own below the temporary folder of the system, where the next run finds them.
 * With scripts, because SQLite is compiled.
 *
 * @returns The folder.
 */
export async function installOnce(name: string, packages: readonly string[]): Promise<string> {
  // The temporary folder of a test run is inside of the system's, and removed with the run.
  const folder = join(dirname(tmpdir()), 'sitewright-cms', name)
  const done = join(folder, 'installed.json')
  if (existsSync(done)) return folder
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', private: true }))
  const nodeFolder = dirname(dirname(process.execPath))
  const headers = existsSync(join(nodeFolder, 'include/node')) ? { npm_config_nodedir: nodeFolder } : {}
  const args = ['install', ...packages, '--no-audit', '--no-fund', '--legacy-peer-deps']
  await promisify(execFile)('npm', args, { cwd: folder, env: { ...process.env, ...headers }, maxBuffer: 2 ** 26 })
  await writeFile(done, JSON.stringify(packages))
  return folder
}

/** Creates an empty folder for one run of a CMS, inside of the folder with its packages. */
export const createRun = (folder: string) => mkdtemp(join(folder, 'run-'))

/** Runs a program of Node until it ends. */
export const run = (args: readonly string[], cwd: string, env: Record<string, string>) =>
  promisify(execFile)(process.execPath, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 })

/** Starts a server of Node, and waits until it answers. */
export async function startServer(args: readonly string[], cwd: string, env: Record<string, string>, url: string) {
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: [...stdio] })
  const ended = once(child, 'close')
  const answer = async () => {
    if (child.exitCode !== null) return
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url}: ${response.status}`)
  }
  await vi.waitFor(answer, { timeout: 120_000, interval: 250 })
  return async () => {
    child.kill('SIGKILL')
    await ended
    await rm(cwd, { recursive: true, force: true })
  }
}
