/** A reader that bytes are held for. */
export interface HeldReader {
  /** Releases what is held for it. Its body breaks off, unless it reads on from elsewhere. */
  drop(): void
  /** Whether it would read on from elsewhere. */
  canReadOn?(): boolean
  /** Returns how many bytes are held for it. */
  unread(): number
  /** Returns how many bytes it has read. */
  read(): number
  /** Who reads what it reads, as far as a server has said so. */
  client?: Client | undefined
}

/** The client of a server. */
export interface Client {
  /** The same for all that it reads at the same time. */
  readonly connection: object
  /** Returns how many bytes it has taken of the connection. */
  taken(): number
}

// How fast a client is shows after some milliseconds, in which the buffers of its connection have been filled.
export const minMeasured = 1_000
const bufferedBytes = 64 * 1024

/** A client that bytes are held for, and how much of such bytes it has read in which time. */
export interface HeldClient {
  readers: HeldReader[]
  unread: number
  time: number
  read: number
}

/** Grows with the time that a client would take for what waits for it. */
export function slowness({ unread, time, read }: Omit<HeldClient, 'readers'>): number {
  return (unread * Math.max(time, minMeasured)) / (read + bufferedBytes)
}

const readersByBody = new WeakMap<object, HeldReader>()

/** Notes who reads a stream that a server sends. */
export function setReader(body: object, reader: HeldReader): void {
  readersByBody.set(body, reader)
}

/** Notes that a stream passes on another one, piece by piece. */
export function copyReader(from: object, to: object): void {
  const reader = readersByBody.get(from)
  if (reader) readersByBody.set(to, reader)
}

/**
 * Lets a server say which client a body is sent to. The streams of one HTTP/2 connection wait for each other: a client that
 * reads others first has not stopped to read.
 */
export function setClient(body: object, client: Client): void {
  const reader = readersByBody.get(body)
  if (!reader) return
  // What it took of the connection before is not of this body.
  const before = client.taken() - reader.read()
  reader.client = { connection: client.connection, taken: () => client.taken() - before }
}
