import type { RouteHandler } from '../../../handler.js'

// Declared here since core has no types of Node.
declare const process: { versions?: { node?: string } }
declare const setImmediate: (run: () => void) => void

// How many milliseconds handlers may take in a turn of the event loop, where all else takes less. And at most, since there may be
// another copy of this module, which does the same.
const shortestShare = 4
const longestShare = 200
// How many steps are scheduled for a turn: those for which no time is left cost some as well.
const maxScheduled = 256

// On Cloudflare Workers, what a request has scheduled may end with it, and others would wait for it in vain. Edge functions have no
// `setImmediate`.
const isWorker = globalThis.navigator?.userAgent === 'Cloudflare-Workers'
const isServer = typeof process !== 'undefined' && process.versions?.node !== undefined && !isWorker
const nextTurn = isServer ? setImmediate : () => {}

// Responses go first: who has begun is not to wait for all who come after.
const responses: (() => void)[] = []
const calls: (() => void)[] = []
let scheduled = 0
let isBusy = false
let last = 0 // when a step was taken or looked at, by `performance.now`
let until = 0 // when the share of this turn is over; 0 before it begins

/**
 * Divides the time of the event loop between handlers and all else: calls begin, and responses are returned, one by one, for as long
 * in each turn as all else took. Otherwise a burst of requests for new pages, such as those of HTTP/2 connections with a hundred
 * streams each, makes all others wait until it is rendered and sent, also those whose pages are stored. Who leaves before a call begins
 * does not reach the handler.
 */
export function paceHandler(handler: RouteHandler): RouteHandler {
  if (!isServer) return handler
  return async (request) => {
    const turn = waitIn(calls)
    if (turn) await turn // the first one begins at once
    request.signal?.throwIfAborted()
    const response = await handler(request)
    await waitIn(responses)
    return response
  }
}

function waitIn(queue: (() => void)[]): Promise<void> | undefined {
  if (isBusy) {
    return new Promise((resolve) => {
      queue.push(resolve)
      scheduleStep()
    })
  }
  isBusy = true
  last = performance.now()
  beforeNextSteps()
  return undefined
}

/** Begins the share of the next turn. To be called before any step of it is scheduled. */
function beforeNextSteps(): void {
  nextTurn(() => {
    until = 0
    isBusy = scheduled > 0
    if (isBusy) beforeNextSteps()
  })
}

/** Schedules a step, unless there is one for each who waits. */
function scheduleStep(): void {
  if (scheduled >= Math.min(responses.length + calls.length, maxScheduled)) return
  scheduled++
  // One by one: what each leads to is done before the next one, and so its time is known.
  nextTurn(() => {
    scheduled--
    const now = performance.now()
    if (until === 0) until = now + Math.min(Math.max(now - last, shortestShare), longestShare)
    last = now
    if (now < until) (responses.shift() ?? calls.shift())?.()
    scheduleStep()
  })
}
