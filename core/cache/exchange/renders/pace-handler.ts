import { connectionOf, type RouteHandler } from '../../../handler.js'

// Of Node, whose adapters say which connection a request came by. Declared here since core has no types of Node.
declare const setImmediate: (run: () => void) => void

// How many milliseconds handlers may take in a turn of the event loop, where all else takes less. And at most, since there may be
// another copy of this module, which does the same.
const shortestShare = 4
const longestShare = 200
// How many steps are scheduled for a turn: those for which no time is left cost some as well.
const maxScheduled = 256

/** What requests of one connection wait for. */
interface Steps {
  /** They go first: who has begun is not to wait for all who come after. */
  readonly responses: Set<() => void>
  readonly calls: Set<() => void>
}

// That connection first whose turn it is.
const waiting = new Map<object, Steps>()
let count = 0 // of all steps
let scheduled = 0
let isBusy = false
let last = 0 // when a step was taken or looked at, by `performance.now`
let until = 0 // when the share of this turn is over; 0 before it begins

/** A handler whose calls wait for their turn. */
export interface PacedHandler extends RouteHandler {
  /** Another visitor waits for what it was called for: from now on, also the turn of that one's connection is its own. */
  alsoFor?(visitor: Request): void
}

/**
 * Divides the time of the event loop between handlers and all else, and that of handlers among connections: calls begin, and
 * responses are returned, one by one, for as long in each turn as all else took. Otherwise a burst of requests for new pages, such as
 * those of HTTP/2 connections with a hundred streams each, makes all others wait until it is rendered and sent, also those whose
 * pages are stored. Who leaves before a call begins does not reach the handler. A request that came by an unknown connection is not
 * held up.
 */
export function paceHandler(handler: RouteHandler, visitor: Request): PacedHandler {
  const connection = connectionOf(visitor)
  if (!connection) return handler
  const place: Place = { connections: new Set([connection]), waits: new Set() }
  const paced: PacedHandler = async (request) => {
    const turn = waitForTurn(place, 'calls', request)
    if (turn) {
      await turn
      beginnings.set(request, performance.now())
      request.signal?.throwIfAborted()
    }
    const response = await handler(request)
    if (response) await waitForTurn(place, 'responses', request)
    return response
  }
  paced.alsoFor = (other) => {
    const added = connectionOf(other) ?? other
    if (place.connections.has(added)) return
    place.connections.add(added)
    for (const wait of place.waits) wait(added)
  }
  return paced
}

const beginnings = new WeakMap<Request, number>()

/** Returns when the call with a request began, by `performance.now`; `undefined` when it did not wait for its turn. */
export function beganLate(request: Request): number | undefined {
  return beginnings.get(request)
}

/** The connections in whose turn a handler goes on, and what puts those that wait into the turn of one more. */
interface Place {
  readonly connections: Set<object>
  readonly waits: Set<(connection: object) => void>
}

/**
 * Resolves when a step may be taken, or when nobody waits for it any more: clients may come and leave by the thousand. `undefined`: at
 * once, as the first one in an idle event loop.
 */
function waitForTurn(place: Place, kind: keyof Steps, request: Request): Promise<void> | undefined {
  if (!isBusy) {
    isBusy = true
    last = performance.now()
    beforeNextSteps()
    return undefined
  }
  const { signal } = request
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const queues = new Map<object, Steps>()
    const wait = (connection: object) => {
      const steps = waiting.get(connection) ?? { responses: new Set(), calls: new Set() }
      waiting.set(connection, steps)
      queues.set(connection, steps)
      steps[kind].add(step)
      count++
      scheduleStep()
    }
    const step = () => {
      signal?.removeEventListener('abort', step)
      place.waits.delete(wait)
      for (const [connection, steps] of queues) {
        if (steps[kind].delete(step)) count--
        if (steps.responses.size + steps.calls.size === 0) waiting.delete(connection)
      }
      resolve()
    }
    for (const connection of place.connections) wait(connection)
    place.waits.add(wait)
    signal?.addEventListener('abort', step)
  })
}

/** Begins the share of the next turn. To be called before any step of it is scheduled. */
function beforeNextSteps(): void {
  setImmediate(() => {
    until = 0
    isBusy = scheduled > 0
    if (isBusy) beforeNextSteps()
  })
}

/** Schedules a step, unless there is one for each who waits. */
function scheduleStep(): void {
  if (scheduled >= Math.min(count, maxScheduled)) return
  scheduled++
  // One by one: what each leads to is done before the next one, and so its time is known.
  setImmediate(() => {
    scheduled--
    const now = performance.now()
    if (until === 0) until = now + Math.min(Math.max(now - last, shortestShare), longestShare)
    last = now
    if (now < until) takeStep()
    scheduleStep()
  })
}

function takeStep(): void {
  const [next] = waiting
  if (!next) return
  const [connection, steps] = next
  waiting.delete(connection)
  waiting.set(connection, steps) // behind all others
  const [step] = steps.responses.size > 0 ? steps.responses : steps.calls
  step?.()
}
