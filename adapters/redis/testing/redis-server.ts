import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import type { RedisClient } from '../index.js'

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A redis-server of its own, in a directory of its own. */
export async function startRedis(settings: readonly string[] = []) {
  const directory = await mkdtemp(join(tmpdir(), 'sitewright-redis-'))
  const port = await freePort()
  let server: ChildProcess | undefined

  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', ...settings]
    server = spawn('redis-server', options, { stdio: 'ignore' })
    for (let time = 0; time < 200; time++) {
      if (await answers(port)) return
      await wait(20)
    }
    throw new Error('redis-server did not start')
  }
  const kill = async () => {
    const dying = server
    server = undefined
    if (!dying || dying.exitCode !== null) return
    const dead = new Promise((resolve) => dying.once('exit', resolve))
    dying.kill('SIGKILL')
    await dead
  }
  await start()
  return {
    port,
    start,
    kill,
    /** Forgets what is on the disk. Only while it is dead. */
    async empty() {
      for (const name of ['dump.rdb', 'appendonlydir'])
        await rm(join(directory, name), { recursive: true, force: true })
    },
    async stop() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('data', (bytes) => settle(bytes.toString().startsWith('+PONG')))
    socket.once('error', () => settle(false))
    socket.setTimeout(500, () => settle(false))
  })
}

/** A TCP proxy that can cut, stall, refuse, and swallow what the server says. */
export async function startProxy(target: number) {
  const pairs = new Set<[client: Socket, server: Socket]>()
  let mode: 'open' | 'stalled' | 'refusing' | 'deaf' = 'open'
  const proxy = createServer((client) => {
    if (mode === 'refusing') return void client.destroy()
    const server = createConnection(target, '127.0.0.1')
    const pair: [Socket, Socket] = [client, server]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end).setNoDelay(true)
    if (mode === 'stalled') for (const socket of pair) socket.pause()
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => mode !== 'deaf' && client.write(bytes))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const [client, server] of pairs) {
      client.destroy()
      server.destroy()
    }
  }
  return {
    port: (proxy.address() as AddressInfo).port,
    cut,
    set(next: typeof mode) {
      mode = next
      if (mode === 'refusing') cut()
      for (const pair of pairs) for (const socket of pair) mode === 'stalled' ? socket.pause() : socket.resume()
    },
    async stop() {
      cut()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** The two kinds of clients, connected to a port. */
export const kinds = ['redis', 'ioredis'] as const

/** A connected client, and another one for messages. */
export async function connect(kind: (typeof kinds)[number], port: number) {
  if (kind === 'ioredis') {
    const client = new Redis({ port, retryStrategy: () => 50 })
    const subscriber = client.duplicate()
    for (const each of [client, subscriber]) each.on('error', () => {})
    return {
      client: client satisfies RedisClient,
      subscriber,
      close() {
        client.disconnect()
        subscriber.disconnect()
      },
    }
  }
  const client = createClient({ socket: { port, host: '127.0.0.1', reconnectStrategy: () => 50 } })
  const subscriber = client.duplicate()
  for (const each of [client, subscriber]) {
    each.on('error', () => {})
    await each.connect()
  }
  return {
    client: client satisfies RedisClient,
    subscriber,
    close() {
      client.destroy()
      subscriber.destroy()
    },
  }
}
