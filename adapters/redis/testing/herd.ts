import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pick, send } from './chaos.js'
import type { HerdWorkerSettings } from './herd-worker.js'
import { startRedis } from './redis-server.js'

/** What some purges led to. */
export interface HerdResult {
  processes: number
  withoutLeases: boolean
  purges: number
  reads: number
  /** Reads of a version older than the last one that was purged and acknowledged before the read. */
  stale: number
  /** Renders for each purge and page. */
  renders: number
  /** Commands that a process sent to Redis, for each purge and page. */
  commands: number
}

export interface HerdOptions extends Pick<HerdWorkerSettings, 'stores' | 'renderTime'> {
  /** The bundled worker. */
  file: string
  processes: number
  withoutLeases?: boolean
}

const pages = ['/a', '/b', '/c']
// Milliseconds. Fifty processes share the machine's cores with other tests.
const timeout = 300_000

/** Starts a redis-server, and processes that share it. */
export async function startHerd({ file, processes, withoutLeases = false, ...settings }: HerdOptions) {
  const redis = await startRedis()
  let version = 1
  let renders = 0
  const content = createServer((_, response) => {
    renders++
    response.end(String(version))
  })
  content.listen(0, '127.0.0.1')
  await once(content, 'listening')
  const contentUrl = `http://127.0.0.1:${(content.address() as AddressInfo).port}`
  const worker: HerdWorkerSettings = { ...settings, withoutLeases, redisPort: redis.port, contentUrl }
  const env = { ...process.env, HERD_WORKER: JSON.stringify(worker) }
  const instances: { child: ChildProcess; port: number }[] = []
  for (let index = 0; index < processes; index++) {
    const child = fork(file, { env, execArgv: [] })
    const [address] = (await once(child, 'message')) as [AddressInfo]
    instances.push({ child, port: address.port })
  }
  let [reads, stale] = [0, 0]
  const read = async (port: number, page: string) => {
    const minimum = version
    const { status, body } = await send(port, page, 'GET', timeout)
    reads++
    if (status !== 200) throw new Error(`${page}: ${status}`)
    if (Number(body) < minimum) stale++
  }
  /** Three visitors of each page on each instance, at the same time. */
  const readEverywhere = () =>
    Promise.all(instances.flatMap(({ port }) => [...pages, ...pages, ...pages].map((page) => read(port, page))))
  const countCommands = async () => {
    const counts = await Promise.all(instances.map(({ port }) => send(port, '/', 'DELETE', timeout)))
    return counts.reduce((sum, { body }) => sum + Number(body), 0)
  }

  return {
    instances,
    read,
    pages,
    /** Renders so far. */
    renders: () => renders,
    /** Publishes a version and purges all pages, on any instance. */
    async publish() {
      version++
      const { status } = await send(pick(instances).port, '/', 'PURGE', timeout)
      if (status !== 200) throw new Error(`purge: ${status}`)
    },
    readEverywhere,
    /** Publishes again and again, and reads every page on every instance after each purge. */
    async measure(purges: number): Promise<HerdResult> {
      await readEverywhere()
      await countCommands()
      ;[renders, reads, stale] = [0, 0, 0]
      for (let purge = 0; purge < purges; purge++) {
        await this.publish()
        await readEverywhere()
      }
      const each = purges * pages.length
      const commands = Math.round(((await countCommands()) / processes / each) * 10) / 10
      return { processes, withoutLeases, purges, reads, stale, renders: renders / each, commands }
    },
    async stop() {
      for (const { child } of instances) child.kill('SIGKILL')
      content.closeAllConnections()
      content.close()
      await redis.stop()
    },
  }
}
