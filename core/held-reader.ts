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

/** How much a client had read at some time. */
export interface Progress {
  at: number
  /** Of all bodies that bytes were held for. */
  read: number
  /** Of its connection. */
  taken: number
}

/** What is known of a reader: who its client is, when it has read last, and two looks at its client, a second apart or more. */
export interface Held {
  client: object
  position: number
  lastRead: number
  before: Progress
  seen: Progress
}

/** A client that bytes are held for, and how much of such bytes it has read in which time. */
export interface HeldClient {
  readers: HeldReader[]
  unread: number
  time: number
  read: number
}

/** Grows with the time that a client would take for what waits for it. */
function slowness({ unread, time, read }: Omit<HeldClient, 'readers'>): number {
  return (unread * Math.max(time, minMeasured)) / (read + bufferedBytes)
}

/**
 * Returns whom to drop for a body of some bytes: first those who read on from elsewhere, then those whose bodies break off; of each
 * those first whose clients would take longest for all that waits for them. Clients that had no time yet to show how fast they are
 * do not have their bodies broken off, and neither do those that are faster, or faster than one that had read nothing yet of what is
 * wanted: it would make little room, and the next new ones would take it.
 */
export function dropOrder(clients: HeldClient[], wanted: number): HeldReader[] {
  const canReadOn = (reader: HeldReader) => reader.canReadOn?.() === true
  const bySlowness = clients.sort((a, b) => slowness(b) - slowness(a))
  const isNew = ({ time, readers }: HeldClient) => time < minMeasured && !readers.every(canReadOn)
  const firstNew = bySlowness.findIndex(isNew)
  const wanting = slowness({ unread: wanted, time: 0, read: 0 })
  const slow = bySlowness.slice(0, firstNew === -1 ? undefined : firstNew).filter((each) => slowness(each) > wanting)
  return [
    ...bySlowness.flatMap(({ readers }) => readers.filter(canReadOn)),
    ...slow.flatMap(({ readers }) => readers.filter((reader) => !canReadOn(reader))),
  ]
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
