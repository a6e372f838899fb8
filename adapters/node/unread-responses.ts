import type { Client as HeldClient } from '../../core/held-reader.js'
import { breakOff, isDestroyed, isHttp2, type NodeResponse } from './http2.js'
import { type Connection, connectionOf } from './pipelining.js'

// Of all responses of this process together.
const maxUnreadBytes = 64 * 1024 * 1024
// What Node 20 holds for a stream of HTTP/2 besides its body.
const responseOverhead = 10 * 1024
// Milliseconds.
const stallTime = 5_000
// A client that is not stalled takes so much within the stall time: a page of usual size within half a minute, and all that
// waits for it within four minutes, or less when more waits for all together. Otherwise a byte every now and then would hold
// whatever a client asked for.
const minTaken = 64 * 1024
const stallTimesForAll = 48
// Of a write that is under way Node does not tell how much of it was taken.
const minTakenOfWrite = 128 * 1024

interface Client {
  unread: number
  /** What drops each of its responses, and since when it waits. */
  readonly responses: Map<() => void, number>
  /** What it had taken when that was looked at last. */
  taken: number
  lookedAt: number
  /** How many times in a row it had hardly taken anything. */
  stalls: number
}

// Those who something waits for; whose progress was looked at longest ago first.
const clients = new Map<Connection, Client>()
// Of many responses, such as those of a stored page, each is counted once, and whole: a part of it keeps all of it in memory.
const buffers = new Map<ArrayBufferLike, number>()
let unreadBytes = 0
let timer: NodeJS.Timeout | undefined

/** Does what {@link holdUnread} does, unless the operating system has taken everything already. */
export function countUnread(res: NodeResponse, content?: string | Uint8Array): () => void {
  return isUnread(res) ? holdUnread(res, content) : () => {}
}

/**
 * Counts what is held for the client of a response. When there are more than 64 MiB in this process, clients that have
 * hardly taken anything for five seconds are disconnected, the longest one first. A client that reads on, at whatever pace
 * is usual, is not.
 *
 * @param content What is held of the body.
 * @returns To be called when it is not held any more. When the response is closed, that is done already.
 */
export function holdUnread(res: NodeResponse, content: string | Uint8Array = ''): () => void {
  const connection = connectionOf(res)
  if (!connection || isDestroyed(res)) return () => {}
  const cost = responseOverhead + content.length
  const client = clients.get(connection) ?? addClient(connection)
  const release = () => {
    if (!client.responses.delete(drop)) return
    res.off('close', release)
    client.unread -= cost
    if (client.responses.size === 0) clients.delete(connection)
    unreadBytes -= responseOverhead
    releaseContent(content)
  }
  const drop = () => {
    release()
    if (isDestroyed(res)) return
    breakOff(res)
    // A client that reads nothing of its connection does not take the reset either.
    if (isHttp2(res)) res.stream.destroy()
  }
  res.on('close', release)
  client.responses.set(drop, performance.now())
  client.unread += cost
  unreadBytes += responseOverhead
  holdContent(content)
  dropStalled()
  return release
}

/** Returns the client of a response, as long as it is connected. */
export function clientOf(res: NodeResponse): HeldClient | undefined {
  const connection = connectionOf(res)
  return connection && { connection, taken: () => progressOf(connection).taken }
}

function addClient(connection: Connection): Client {
  const { taken } = progressOf(connection)
  const client = { unread: 0, responses: new Map(), taken, lookedAt: performance.now(), stalls: 0 }
  clients.set(connection, client)
  return client
}

function holdContent(content: string | Uint8Array): void {
  if (typeof content === 'string') unreadBytes += content.length
  else {
    const responses = buffers.get(content.buffer) ?? 0
    buffers.set(content.buffer, responses + 1)
    if (responses === 0) unreadBytes += content.buffer.byteLength
  }
}

function releaseContent(content: string | Uint8Array): void {
  if (typeof content === 'string') unreadBytes -= content.length
  else {
    const others = (buffers.get(content.buffer) ?? 0) - 1
    if (others > 0) return void buffers.set(content.buffer, others)
    buffers.delete(content.buffer)
    unreadBytes -= content.buffer.byteLength
  }
}

/** Makes room, as far as clients are stalled, and looks again when the next one may be. */
function dropStalled(): void {
  for (const [connection, client] of clients) {
    const now = performance.now()
    if (unreadBytes <= maxUnreadBytes) break
    const wait = client.lookedAt + stallTime - now
    if (wait > 0) {
      clearTimeout(timer)
      timer = setTimeout(dropStalled, wait).unref()
      break
    }
    const { taken, waiting } = progressOf(connection)
    const stallTimes = (stallTimesForAll * maxUnreadBytes) / unreadBytes
    const isMoving = taken - client.taken >= Math.max(minTaken, client.unread / stallTimes)
    client.stalls = isMoving ? 0 : client.stalls + 1
    client.taken = taken
    client.lookedAt = now
    clients.delete(connection)
    clients.set(connection, client)
    if (isMoving || client.stalls < waiting / minTakenOfWrite) continue
    for (const [drop, since] of client.responses) if (now - since >= stallTime) drop()
  }
}

/** How many bytes the operating system has taken for a client, and how many of it wait for that. */
function progressOf(connection: Connection): { taken: number; waiting: number } {
  if (connection.destroyed) return { taken: 0, waiting: 0 }
  // The socket of HTTP/2 counts what its session has handed over, which it does as the client takes it.
  const { bytesWritten, writableLength } = 'socket' in connection ? connection.socket : connection
  return { taken: bytesWritten - writableLength, waiting: writableLength }
}

/** Whether the operating system has not taken everything yet. Of HTTP/2 nobody knows before it is closed. */
function isUnread(res: NodeResponse): boolean {
  if (isDestroyed(res)) return false
  return isHttp2(res) || res.socket === null || res.socket.writableLength > 0
}
