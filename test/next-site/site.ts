import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../setup/free-port.js'

const root = join(import.meta.dirname, '../..')
const withoutRedis = {
  ...process.env,
  REDIS_URL: '',
  REVALIDATE_SECRET: 'between-us',
  NEXT_TELEMETRY_DISABLED: '1',
  // Next.js 15 would ask the registry, since the repository's lock file names no addresses.
  NEXT_IGNORE_INCORRECT_LOCKFILE: '1',
}

export interface RunningSite {
  url: string
  /** All that it has printed, without colors. */
  output(): string
  close(): Promise<void>
}

/**
 * Copies the site to a folder where it is installed as a user's is: with the packed files of this package, and the Next.js that
 * is found from there.
 */
export async function installSite(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await cp(join(import.meta.dirname, 'site'), folder, { recursive: true })
  await cp(join(root, 'examples/site/media/locomotion-house-cat.jpg'), join(folder, 'public/media/cat.jpg'))
  await installPackage(folder)
}

/** Copies the packed files of this package, and packages that it needs, to the `node_modules` of a folder. */
export async function installPackage(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  for (const file of ['package.json', 'dist']) {
    await cp(join(root, file), join(modules, 'sitewright', file), { recursive: true })
  }
  for (const name of ['sharp', 'tailwindcss']) {
    await cp(join(root, 'node_modules', name), join(modules, name), { recursive: true })
  }
}

/**
 * next-contentlayer adds this rule. With it, webpack takes ES modules for ones that may contain CommonJS, and evaluates
 * `createRequire`.
 */
export const contentlayer = `
  webpack(config) {
    config.module.rules.push({ test: /\\.m?js$/, type: 'javascript/auto', resolve: { fullySpecified: false } })
    return config
  },`

/**
 * Takes out what needs Cache Components, which Next.js 15 does not have. Its middleware takes a rewrite for one to another host where
 * the server's is 127.0.0.1. Adds a rule for webpack, and a plugin to the stylesheet that the styleguide reads.
 */
export async function adaptToNext15(folder: string): Promise<void> {
  for (const part of ['(site)/edition', 'api/nested']) await rm(join(folder, 'app', part), { recursive: true })
  await edit(join(folder, 'app/styleguide/[[...slug]]/page.tsx'), /^export const instant.*\n/m)
  await edit(join(folder, 'next.config.ts'), /^ {2}(?:cacheComponents|partialPrefetching|cacheHandlers): .*\n/gm)
  await edit(
    join(folder, 'next.config.ts'),
    /^(?= {2}output: )/m,
    `  skipMiddlewareUrlNormalize: true,${contentlayer}\n`,
  )
  await edit(join(folder, 'next.config.ts'), './app/theme.css', './app/{theme.css,plugin.js}')
  await edit(join(folder, 'app/theme.css'), /$/, '\n@plugin "./plugin.js";\n')
  const plugin = "export default { handler() {}, config: { theme: { extend: { colors: { plugged: '#123456' } } } } }\n"
  await writeFile(join(folder, 'app/plugin.js'), plugin)
}

async function edit(file: string, pattern: RegExp | string, text = ''): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace(pattern, text))
}

/** Runs `next build`. Returns what it printed. */
export async function buildSite(folder: string): Promise<string> {
  const env = { ...withoutRedis, NODE_ENV: 'production' as const }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [findNext(folder), 'build'], {
    cwd: folder,
    env,
  })
  return stdout + stderr
}

/**
 * Copies what `output: 'standalone'` has made to a folder outside of the repository, where nothing else is installed, with
 * what Next.js leaves to its users: static files and `public`.
 */
export async function copyStandalone(folder: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'sitewright-standalone-'))
  await cp(join(folder, '.next/standalone'), copy, { recursive: true })
  const site = join(copy, relative(root, folder))
  await cp(join(folder, '.next/static'), join(site, '.next/static'), { recursive: true })
  await cp(join(folder, 'public'), join(site, 'public'), { recursive: true, preserveTimestamps: true })
  return site
}

/** Starts the `server.js` of a copy. */
export async function startStandalone(site: string, environment: Record<string, string> = {}): Promise<RunningSite> {
  const port = String(await freePort())
  const env = { ...withoutRedis, NODE_ENV: 'production' as const, PORT: port, HOSTNAME: '127.0.0.1', ...environment }
  return waitFor(port, spawn(process.execPath, ['server.js'], { cwd: site, env }))
}

/** Starts `next start`. */
export async function startBuilt(folder: string, environment: Record<string, string> = {}): Promise<RunningSite> {
  const port = String(await freePort())
  const env = { ...withoutRedis, NODE_ENV: 'production' as const, ...environment }
  const args = [findNext(folder), 'start', '--port', port]
  return waitFor(port, spawn(process.execPath, args, { cwd: folder, env, detached: true }))
}

/** Starts `next dev`. */
export async function startDevelopment(folder: string, environment: Record<string, string> = {}): Promise<RunningSite> {
  const port = String(await freePort())
  const env = { ...withoutRedis, NODE_ENV: 'development' as const, ...environment }
  const args = [findNext(folder), 'dev', '--hostname', '127.0.0.1', '--port', port]
  // A group of its own, so that the processes that it starts end with it.
  return waitFor(port, spawn(process.execPath, args, { cwd: folder, env, detached: true }))
}

const findNext = (folder: string) => createRequire(join(folder, 'any.js')).resolve('next/dist/bin/next')

async function waitFor(port: string, child: ChildProcess): Promise<RunningSite> {
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      printed += text
    })
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const close = async () => {
    if (child.exitCode === null) endGroup(child)
    await ended
  }
  const url = `http://127.0.0.1:${port}`
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(100)) {
    if (child.exitCode !== null) break
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors
    if (response) return { url, output: () => printed.replace(/\x1b\[[\d;?]*[a-z]/gi, ''), close }
  }
  await close()
  throw new Error(`the site did not answer:\n${printed}`)
}

function endGroup(child: ChildProcess): void {
  try {
    process.kill(-(child.pid as number), 'SIGTERM')
  } catch {
    child.kill() // it leads no group
  }
}
