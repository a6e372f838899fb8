import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { WorkerSettings } from './chaos-worker.js'

// Processes under random purges and reads, and a checker that records when each version was published: no reader ever
// sees a version older than the last hard purge acknowledged before its request started.
const pages = ['a', 'b', 'c', 'd']
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
export const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** Bundles the worker once for all runs of a file. */
export async function buildWorker() {
  const directory = await mkdtemp(join(tmpdir(), 'sitewright-chaos-'))
  const file = join(directory, 'worker.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('chaos-worker.ts', import.meta.url))],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['vitest'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    logLevel: 'error',
  })
  return { file, remove: () => rm(directory, { recursive: true, force: true }) }
}

interface Reply {
  status: number
  body: string
  cacheStatus: string
}

const agent = new Agent({ keepAlive: true })
function send(port: number, path: string, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    // All instances get the same Host, because instances with different hosts would share no page.
    const headers = { host: 'example.com' }
    const outgoing = request({ port, host: '127.0.0.1', path, method, headers, agent, timeout: 20_000 }, (response) => {
      let body = ''
      response.on('data', (piece) => {
        body += piece
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body,
          cacheStatus: String(response.headers['cache-status'] ?? ''),
        }),
      )
      response.on('error', reject)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('timed out')))
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Records the published versions, and the minimum version that every later reader must see. */
function createChecker() {
  const published = new Map(pages.map((page) => [page, 0]))
  const minimum = new Map(pages.map((page) => [page, 0]))
  const violations: string[] = []
  const failures: string[] = []
  const count = { reads: 0, hits: 0, acknowledged: 0, rejected: 0, soft: 0, faults: 0 }
  const versionOf = (versions: Map<string, number>, page: string) => versions.get(page) ?? 0
  return {
    violations,
    failures,
    count,
    publish(page: string) {
      published.set(page, versionOf(published, page) + 1)
      return versionOf(published, page)
    },
    current: (page: string) => versionOf(published, page),
    acknowledge: (page: string, version: number) => minimum.set(page, Math.max(versionOf(minimum, page), version)),
    minimumOf: (page: string) => versionOf(minimum, page),
    check(page: string, minimumVersion: number, { status, body, cacheStatus }: Reply) {
      count.reads++
      if (status !== 200) failures.push(`${page}: ${status} ${cacheStatus}`)
      else if (!(Number(body) >= minimumVersion))
        violations.push(`${page}: ${body} < ${minimumVersion} (${cacheStatus})`)
      if (cacheStatus.includes('hit')) count.hits++
    },
  }
}

/** A process of the run. */
export interface ChaosInstance {
  child: ChildProcess
  port: number
}

export interface ChaosRun {
  /** The bundled worker. */
  file: string
  milliseconds: number
  /** Minimum number of faults. The run waits for them at most a minute beyond `milliseconds`. Default 0. */
  minFaults?: number | undefined
  /** The processes, by their settings. */
  workers: readonly Omit<WorkerSettings, 'contentUrl'>[]
  /** Whether to end at the first violation. */
  untilViolation?: boolean
  /** Injects faults until `isRunning` says that the run ends; returns after it has undone them. */
  injectFaults?(instances: readonly ChaosInstance[], isRunning: () => boolean, onFault: () => void): Promise<void>
}

/** Runs processes, readers, editors who publish and purge, and faults; returns what the checker saw. */
export async function runChaos(run: ChaosRun) {
  const { file, milliseconds, minFaults = 0, workers, injectFaults, untilViolation = false } = run
  const checker = createChecker()
  const { count, violations, failures } = checker
  const content = createServer((req, res) => void res.end(String(checker.current((req.url ?? '/').slice(1)))))
  content.listen(0, '127.0.0.1')
  await once(content, 'listening')
  const contentUrl = `http://127.0.0.1:${(content.address() as AddressInfo).port}`
  const instances: ChaosInstance[] = []
  for (const worker of workers) {
    const env = { ...process.env, CHAOS_WORKER: JSON.stringify({ ...worker, contentUrl }) }
    const child = fork(file, { env, execArgv: [] })
    const [address] = (await once(child, 'message')) as [AddressInfo]
    instances.push({ child, port: address.port })
  }
  const end = Date.now() + milliseconds
  const isWaiting = () => count.faults < minFaults && Date.now() < end + 60_000
  const isRunning = () => (Date.now() < end || isWaiting()) && !(untilViolation && violations.length > 0)
  const read = async () => {
    while (isRunning()) {
      const page = pick(pages)
      const minimumVersion = checker.minimumOf(page)
      const reply = await send(pick(instances).port, `/${page}`).catch((error) => ({
        status: 0,
        body: '',
        cacheStatus: String(error),
      }))
      checker.check(page, minimumVersion, reply)
      await wait(Math.random() * 5)
    }
  }
  const publish = async () => {
    while (isRunning()) {
      const page = pick(pages)
      const version = checker.publish(page)
      const isSoft = Math.random() < 0.2
      const query = isSoft ? '?mode=soft&tag=page-' : Math.random() < 0.2 ? '?tag=all&page=' : '?tag=page-'
      const current = new Map(pages.map((page) => [page, checker.current(page)]))
      const { status } = await send(
        pick(instances).port,
        `/${query}${query.includes('all') ? '' : page}`,
        'PURGE',
      ).catch(() => ({ status: 0 }))
      if (status !== 200) count.rejected++
      else if (isSoft) count.soft++
      else {
        count.acknowledged++
        checker.acknowledge(page, version)
        if (query.includes('all')) for (const [page, version] of current) checker.acknowledge(page, version)
      }
      await wait(Math.random() * 120)
    }
  }
  try {
    const faults = injectFaults?.(instances, isRunning, () => count.faults++)
    await Promise.all([...Array.from({ length: 12 }, read), publish(), publish(), faults])
  } finally {
    for (const { child } of instances) child.kill('SIGKILL')
    content.closeAllConnections()
    content.close()
  }
  return { count, violations, failures }
}
