import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { freePort } from '../../../test/setup/free-port.js'
import type { RedisClient } from '../index.js'

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Starts a redis-server of its own, in a temporary directory. */
export async function startRedis(settings: readonly string[] = []) {
  const directory = await mkdtemp(join(tmpdir(), 'sitewright-redis-'))
  const port = await freePort()
  let server: ChildProcess | undefined

  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', ...settings]
    server = spawn('redis-server', options, { stdio: 'ignore' })
    for (let attempt = 0; attempt < 200; attempt++) {
      if (await respondsToPing(port)) return
      await wait(20)
    }
    throw new Error('redis-server did not start')
  }
  const kill = async () => {
    const killed = server
    server = undefined
    if (!killed || killed.exitCode !== null) return
    const exited = new Promise((resolve) => killed.once('exit', resolve))
    killed.kill('SIGKILL')
    await exited
  }
  await start()
  return {
    port,
    start,
    kill,
    /** Pauses the process with `SIGSTOP`, or continues it with `SIGCONT`. */
    signal: (name: NodeJS.Signals) => server?.kill(name),
    /** Deletes the data on the disk. Only while the server is killed. */
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

function respondsToPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const settle = (isUp: boolean) => {
      socket.destroy()
      resolve(isUp)
    }
    socket.once('data', (bytes) => settle(bytes.toString().startsWith('+PONG')))
    socket.once('error', () => settle(false))
    socket.setTimeout(500, () => settle(false))
  })
}

/** Sends one command over a connection of its own, and returns the start of the reply as Redis writes it. */
export function redisCommand(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.setTimeout(5_000, () => socket.destroy(new Error(`${text}: no reply`)))
    socket.once('data', (bytes) => {
      resolve(bytes.toString())
      socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`${text}: closed`)))
  })
}

/** Waits until a condition holds, for at most 30 s. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await condition()) return
    await wait(50)
  }
  throw new Error('the condition did not come true within 30 s')
}

/**
 * Starts a TCP proxy that can cut, stall or refuse connections, and drop the server's replies. After `stall`,
 * `forward-new` keeps the existing connections stalled.
 */
export async function startProxy(target: number) {
  const pairs = new Set<[client: Socket, server: Socket]>()
  let mode: 'forward' | 'forward-new' | 'stall' | 'refuse' | 'drop-replies' = 'forward'
  const proxy = createServer((client) => {
    if (mode === 'refuse') return void client.destroy()
    const server = createConnection(target, '127.0.0.1')
    const pair: [Socket, Socket] = [client, server]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end).setNoDelay(true)
    if (mode === 'stall') for (const socket of pair) socket.pause()
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => mode !== 'drop-replies' && client.write(bytes))
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
    set(nextMode: typeof mode) {
      mode = nextMode
      if (mode === 'refuse') cut()
      if (mode === 'forward-new') return
      for (const pair of pairs) for (const socket of pair) mode === 'stall' ? socket.pause() : socket.resume()
    },
    async stop() {
      cut()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** The npm packages whose clients are supported. */
export const clientPackages = ['redis', 'ioredis'] as const

/** Connects a client, and another one for messages. */
export async function connect(kind: (typeof clientPackages)[number], port: number) {
  if (kind === 'ioredis') {
    const client = new Redis({ port, retryStrategy: () => 50 })
    const subscriber = client.duplicate()
    for (const connection of [client, subscriber]) connection.on('error', () => {})
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
