import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { short } from '../../test/setup/long.js'
import type { WorkerSettings } from './testing/chaos-worker.js'
import { startProxy, startRedis } from './testing/redis-server.js'

// Three processes under random purges, reads and faults, and a checker that records when each version was published:
// no reader ever sees a version older than the last hard purge acknowledged before its request started.
const seconds = short(6, 120)
const pages = ['a', 'b', 'c', 'd']
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sitewright-chaos-'))
  await build({
    entryPoints: [fileURLToPath(new URL('testing/chaos-worker.ts', import.meta.url))],
    outfile: join(directory, 'worker.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['vitest'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    logLevel: 'error',
  })
})
afterAll(() => rm(directory, { recursive: true, force: true }))

interface Reply {
  status: number
  body: string
  cacheStatus: string
}

const agent = new Agent({ keepAlive: true })
function send(port: number, path: string, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path, method, agent, timeout: 20_000 }, (response) => {
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

interface Run {
  milliseconds: number
  bug?: WorkerSettings['bug']
  faults?: readonly ('cut' | 'stall' | 'drop-replies' | 'kill' | 'kill-empty' | 'flush' | 'stop')[]
  untilViolation?: boolean
}

async function run({ milliseconds, bug, faults = [], untilViolation = false }: Run) {
  const checker = createChecker()
  const { count, violations, failures } = checker
  const redis = await startRedis(['--appendonly', 'no'])
  const content = createServer((req, res) => void res.end(String(checker.current((req.url ?? '/').slice(1)))))
  content.listen(0, '127.0.0.1')
  await once(content, 'listening')
  const contentUrl = `http://127.0.0.1:${(content.address() as AddressInfo).port}`

  const shapes = [
    { kind: 'redis', inRedis: true, clockAhead: 0 },
    { kind: 'ioredis', inRedis: true, clockAhead: 3_600_000 },
    { kind: 'ioredis', inRedis: false, clockAhead: -3_600_000 },
  ] as const
  const instances: { child: ChildProcess; port: number; proxy: Awaited<ReturnType<typeof startProxy>> }[] = []
  for (const shape of shapes) {
    const proxy = await startProxy(redis.port)
    const settings: WorkerSettings = { ...shape, redisPort: proxy.port, contentUrl, bug }
    const env = { ...process.env, CHAOS_WORKER: JSON.stringify(settings) }
    const child = fork(join(directory, 'worker.mjs'), { env, execArgv: [] })
    const [address] = (await once(child, 'message')) as [AddressInfo]
    instances.push({ child, port: address.port, proxy })
  }

  const end = Date.now() + milliseconds
  const isRunning = () => Date.now() < end && !(untilViolation && violations.length > 0)
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
      const current = new Map(pages.map((each) => [each, checker.current(each)]))
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
        if (query.includes('all')) for (const [each, known] of current) checker.acknowledge(each, known)
      }
      await wait(Math.random() * 120)
    }
  }
  const injectFaults = async () => {
    while (isRunning() && faults.length > 0) {
      await wait(300 + Math.random() * 900)
      const { child, proxy } = pick(instances)
      const fault = pick(faults)
      count.faults++
      if (fault === 'cut') proxy.cut()
      if (fault === 'stall' || fault === 'drop-replies') {
        proxy.set(fault)
        await wait(Math.random() * 600)
        proxy.cut()
        proxy.set('forward')
      }
      if (fault === 'stop') {
        child.kill('SIGSTOP')
        await wait(Math.random() * 800)
        child.kill('SIGCONT')
      }
      if (fault === 'flush') await command(redis.port, 'FLUSHALL')
      if (fault === 'kill' || fault === 'kill-empty') {
        // A snapshot that lacks all later purges.
        if (fault === 'kill') await command(redis.port, 'SAVE')
        await wait(Math.random() * 300)
        await redis.kill()
        if (fault === 'kill-empty') await redis.empty()
        await wait(Math.random() * 300)
        await redis.start()
      }
    }
  }
  try {
    await Promise.all([...Array.from({ length: 12 }, read), publish(), publish(), injectFaults()])
  } finally {
    for (const { child, proxy } of instances) {
      child.kill('SIGKILL')
      await proxy.stop()
    }
    content.closeAllConnections()
    content.close()
    await redis.stop()
  }
  return { count, violations, failures }
}

async function command(port: number, text: string): Promise<void> {
  const { createConnection } = await import('node:net')
  await new Promise<void>((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.once('data', () => socket.destroy())
    socket.once('error', () => {})
    socket.once('close', () => resolve())
  })
}

const allFaults = ['cut', 'stall', 'drop-replies', 'kill', 'kill-empty', 'flush', 'stop'] as const

describe('three processes', () => {
  it(
    `never serve a purged page under random purges, reads and faults for ${seconds} s`,
    async () => {
      const { count, violations, failures } = await run({ milliseconds: seconds * 1000, faults: allFaults })
      console.log(count)
      expect(violations).toEqual([])
      expect(failures).toEqual([])
      expect(count.hits).toBeGreaterThan(count.reads / 20)
      expect(count.acknowledged).toBeGreaterThan(seconds)
    },
    (seconds + 60) * 1000,
  )
})

describe('the checker catches a cache that', () => {
  it.each([
    ['never sees a purge', 'never-reads-stamp', []],
    ['stamps entries after the render', 'stamps-late', []],
    ['acknowledges a purge before Redis does', 'acknowledges-early', ['drop-replies', 'stall', 'cut']],
    ['joins renders that started before a purge', 'joins-any-render', []],
    ['trusts a Redis that restarted with an old snapshot', 'assumes-durable', ['kill']],
  ] as const)(
    '%s',
    async (_, bug, faults) => {
      const { violations } = await run({ milliseconds: 40_000, bug, faults, untilViolation: true })
      expect(violations).not.toEqual([])
    },
    60_000,
  )
})
