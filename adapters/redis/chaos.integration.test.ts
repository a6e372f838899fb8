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

// Three processes under random purges, reads and faults, and a checker that knows when each version was published:
// no reader ever sees a version older than the last hard purge that was acknowledged before its request began.
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

interface Answer {
  status: number
  body: string
  cacheStatus: string
}

const agent = new Agent({ keepAlive: true })
function ask(port: number, path: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request({ port, host: '127.0.0.1', path, method, agent, timeout: 20_000 }, (response) => {
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
    asking.on('timeout', () => asking.destroy(new Error('the reader hung')))
    asking.on('error', reject)
    asking.end()
  })
}

/** Knows the versions: what was published, and what every later reader must see at least. */
function createChecker() {
  const published = new Map(pages.map((page) => [page, 0]))
  const floor = new Map(pages.map((page) => [page, 0]))
  const violations: string[] = []
  const failures: string[] = []
  const count = { reads: 0, hits: 0, acknowledged: 0, rejected: 0, soft: 0, faults: 0 }
  const of = (known: Map<string, number>, page: string) => known.get(page) ?? 0
  return {
    violations,
    failures,
    count,
    publish(page: string) {
      published.set(page, of(published, page) + 1)
      return of(published, page)
    },
    current: (page: string) => of(published, page),
    acknowledge: (page: string, version: number) => floor.set(page, Math.max(of(floor, page), version)),
    least: (page: string) => of(floor, page),
    check(page: string, least: number, { status, body, cacheStatus }: Answer) {
      count.reads++
      if (status !== 200) failures.push(`${page}: ${status} ${cacheStatus}`)
      else if (!(Number(body) >= least)) violations.push(`${page}: ${body} < ${least} (${cacheStatus})`)
      if (cacheStatus.includes('hit')) count.hits++
    },
  }
}

interface Run {
  milliseconds: number
  broken?: WorkerSettings['broken']
  faults?: readonly ('cut' | 'stall' | 'deaf' | 'kill' | 'kill-empty' | 'flush' | 'stop')[]
  untilViolation?: boolean
}

async function run({ milliseconds, broken, faults = [], untilViolation = false }: Run) {
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
    const settings: WorkerSettings = { ...shape, redisPort: proxy.port, contentUrl, broken }
    const env = { ...process.env, CHAOS_WORKER: JSON.stringify(settings) }
    const child = fork(join(directory, 'worker.mjs'), { env, execArgv: [] })
    const [address] = (await once(child, 'message')) as [AddressInfo]
    instances.push({ child, port: address.port, proxy })
  }

  const end = Date.now() + milliseconds
  const goesOn = () => Date.now() < end && !(untilViolation && violations.length > 0)
  const read = async () => {
    while (goesOn()) {
      const page = pick(pages)
      const least = checker.least(page)
      const answer = await ask(pick(instances).port, `/${page}`).catch((error) => ({
        status: 0,
        body: '',
        cacheStatus: String(error),
      }))
      checker.check(page, least, answer)
      await wait(Math.random() * 5)
    }
  }
  const publish = async () => {
    while (goesOn()) {
      const page = pick(pages)
      const version = checker.publish(page)
      const isSoft = Math.random() < 0.2
      const query = isSoft ? '?mode=soft&tag=page-' : Math.random() < 0.2 ? '?tag=all&page=' : '?tag=page-'
      const current = new Map(pages.map((each) => [each, checker.current(each)]))
      const { status } = await ask(
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
  const misbehave = async () => {
    while (goesOn() && faults.length > 0) {
      await wait(300 + Math.random() * 900)
      const { child, proxy } = pick(instances)
      const fault = pick(faults)
      count.faults++
      if (fault === 'cut') proxy.cut()
      if (fault === 'stall' || fault === 'deaf') {
        proxy.set(fault === 'stall' ? 'stalled' : 'deaf')
        await wait(Math.random() * 600)
        proxy.cut()
        proxy.set('open')
      }
      if (fault === 'stop') {
        child.kill('SIGSTOP')
        await wait(Math.random() * 800)
        child.kill('SIGCONT')
      }
      if (fault === 'flush') await command(redis.port, 'FLUSHALL')
      if (fault === 'kill' || fault === 'kill-empty') {
        // A snapshot that lacks what is purged from now on.
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
    await Promise.all([...Array.from({ length: 12 }, read), publish(), publish(), misbehave()])
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

const everything = ['cut', 'stall', 'deaf', 'kill', 'kill-empty', 'flush', 'stop'] as const

describe('three processes', () => {
  it(
    `under random purges, reads and faults for ${seconds} s see nothing that was purged`,
    async () => {
      const { count, violations, failures } = await run({ milliseconds: seconds * 1000, faults: everything })
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
    ['never hears of a purge', 'deaf', []],
    ['stamps what it stores after the render', 'late-stamp', []],
    ['acknowledges before it knows', 'false-acknowledgement', ['deaf', 'stall', 'cut']],
    ['joins renders that began before a purge', 'joins-anything', []],
    ['trusts a Redis that restarted with an old snapshot', 'trusts-restarts', ['kill']],
  ] as const)(
    '%s',
    async (_, broken, faults) => {
      const { violations } = await run({ milliseconds: 40_000, broken, faults, untilViolation: true })
      expect(violations).not.toEqual([])
    },
    60_000,
  )
})
