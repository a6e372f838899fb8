import type { RouteHandler } from '../../../handler.js'

// Declared here since core has no types of Node.
declare const process: { versions?: { node?: string } }
declare const setImmediate: (run: () => void) => void

// What begins in one turn of the event loop: more than comes in one but for bursts, and nothing more once it has taken so many
// milliseconds.
const stepsPerTurn = 16
const longestTurn = 4

// On Cloudflare Workers, what a request has scheduled may end with it, and others would wait for it in vain. Edge functions have no
// `setImmediate`.
const isWorker = globalThis.navigator?.userAgent === 'Cloudflare-Workers'
const isServer = typeof process !== 'undefined' && process.versions?.node !== undefined && !isWorker
const nextTurn = isServer ? setImmediate : undefined

/**
 * Makes a handler begin a few calls at a time, in the order in which they came, and return a few responses at a time. Between them,
 * the event loop reads what has arrived. Otherwise a burst of requests for new pages, such as those of HTTP/2 connections with a
 * hundred streams each, makes all others wait until it is rendered and sent, also those whose pages are stored. Who leaves before
 * the call begins does not reach the handler.
 */
export function paceHandler(handler: RouteHandler): RouteHandler {
  if (!nextTurn) return handler
  // Responses go first: who has begun is not to wait for all who come after.
  const responses: (() => void)[] = []
  const calls: (() => void)[] = []
  let taken = 0 // in this turn
  let since = 0 // when the first one was, by `performance.now`
  let isBusy = false

  const take = (): boolean => {
    const now = performance.now()
    if (taken === 0) since = now
    const hasTime = taken < stepsPerTurn && now - since < longestTurn
    if (hasTime) taken++
    return hasTime
  }
  const countWaiting = () => responses.length + calls.length
  const takeNext = () => {
    if (countWaiting() > 0 && take()) (responses.shift() ?? calls.shift())?.()
  }
  const endTurn = () => {
    taken = 0
    isBusy = countWaiting() > 0
    // One by one: what each leads to is done before the next one, and is measured so.
    for (let step = 0; step < Math.min(countWaiting(), stepsPerTurn); step++) nextTurn(takeNext)
    if (isBusy) nextTurn(endTurn)
  }
  const takeStep = (queue: (() => void)[]): Promise<void> | undefined => {
    if (!isBusy) nextTurn(endTurn)
    isBusy = true
    return countWaiting() === 0 && take() ? undefined : new Promise((resolve) => queue.push(resolve))
  }
  return async (request) => {
    const begins = takeStep(calls)
    if (begins) await begins // without a wait, the call begins at once, and its time counts
    request.signal?.throwIfAborted()
    const response = await handler(request)
    const returns = takeStep(responses)
    if (returns) await returns
    return response
  }
}
