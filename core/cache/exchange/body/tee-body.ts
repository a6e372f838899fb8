import { cancelBody } from '../../../http/body.js'
import { optionError } from '../../../option-error.js'
import { TimeoutError, withTimeout } from '../../../timeout.js'
import { type BodyPiecesOptions, createBodyPieces, type ReadStored } from './body-pieces.js'
import { createEvent } from './event.js'

// Milliseconds. From then on, those who come wait for the next piece, since it may never come.
const longestPause = 1_000
// Milliseconds. Behind a slow disk or a slow link, nobody waits for the store.
const longestStoreWait = 250

export interface TeeBodyOptions<Result> extends BodyPiecesOptions {
  /** Value of `Content-Length`, if any. */
  expectedLength: number | undefined
  /** Stops it, until the body was collected or it is known that it will not be. */
  signal: AbortSignal
  /**
   * Receives the complete body, or `undefined` as soon as it is known that there will be none: because it is too large, or
   * because it failed or the budget is used up. The readers' streams end after the returned promise has settled, so that what is
   * complete is stored, or a quarter of a second later.
   *
   * @param readFrom To be called once it is stored: readers for which there is no room in memory any more then read on from there.
   */
  onCollected(
    body: Uint8Array<ArrayBuffer> | undefined,
    isTooLarge: boolean,
    readFrom: (stored: ReadStored) => void,
  ): Result | Promise<Result>
  /** Called before that when the body fails by itself, or is not as long as `Content-Length` says. */
  onFailed?(): void
}

export interface BodyTee<Result> {
  /**
   * Opens another stream of the body, from its first byte on; `undefined` when that is not in memory any more.
   *
   * @param onEnd Called once: when it was read to its end, or its reader left or was dropped.
   */
  open(onEnd: () => void): ReadableStream<Uint8Array<ArrayBuffer>> | undefined
  /** Resolves when the handler goes on with a body that it has paused; `undefined` when it has not. */
  resumed(): Promise<void> | undefined
  /** What `onCollected` returned. */
  readonly result: Promise<Result>
}

/**
 * Reads a body for any number of readers and for the store at once. Up to `maxBytes`, and as long as the budget lasts, it
 * waits for no reader, or, while the budget is crowded, for a second: a slow connection delays nobody else. Beyond, nothing
 * is collected, and the body is read at the pace of its fastest reader, as long as there is one. Every byte counts against
 * the budget until all have read it and it is no longer collected. A reader that falls `maxBytes` behind the others, or reads
 * nothing while the budget is used up, gets an error. A body that fails, or is not as long as `Content-Length` says, counts as incomplete.
 *
 * Open the first stream at once: reading begins in the next microtask.
 */
export function teeBody<Result>(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  options: TeeBodyOptions<Result>,
): BodyTee<Result> {
  const { expectedLength, maxBytes, signal } = options
  const source = body.getReader()
  const pieces = createBodyPieces(options)
  // Only until the body was reported: a slow reader must not keep what became of it, such as a copy, in memory.
  let onCollected: TeeBodyOptions<Result>['onCollected'] | undefined = options.onCollected
  let resolve: (result: Result | Promise<Result>) => void = () => {}
  const result = new Promise<Result>((settle) => {
    resolve = settle
  })

  let awaitedSince = Number.POSITIVE_INFINITY
  const arrival = createEvent()
  const readPiece = async () => {
    awaitedSince = performance.now()
    try {
      return await source.read()
    } finally {
      awaitedSince = Number.POSITIVE_INFINITY
      arrival.notify()
    }
  }
  const resumed = () => (performance.now() - awaitedSince >= longestPause ? arrival.next() : undefined)

  const report = (complete: Uint8Array<ArrayBuffer> | undefined): Promise<Result> => {
    const isTooLarge = (expectedLength ?? 0) > maxBytes || pieces.isTooLarge()
    if (onCollected) resolve(onCollected(complete, isTooLarge, pieces.readFrom))
    onCollected = undefined
    signal.removeEventListener('abort', onAbort)
    return result
  }
  const stop = (reason?: unknown) => {
    pieces.stopCollecting()
    void report(undefined)
    pieces.end({ error: reason })
    cancelBody(source, reason)
  }
  const onAbort = () => stop(signal.reason)
  const pump = async () => {
    try {
      await undefined
      while (await pieces.wantsMore()) {
        const { done, value } = await readPiece()
        if (done) {
          const collected = pieces.isCollecting() ? pieces.join() : undefined
          const isCutOff = collected && expectedLength !== undefined && collected.length !== expectedLength
          if (isCutOff) options.onFailed?.()
          const stored = report(isCutOff ? undefined : collected)
          await withTimeout(longestStoreWait, stored).catch(ignoreTimeout)
          pieces.stopCollecting()
          return pieces.end({})
        }
        if (!(value instanceof Uint8Array)) throw optionError('response body', 'a stream of bytes', value)
        pieces.push(value)
        if (!pieces.isCollecting()) void report(undefined)
      }
      stop()
    } catch (error) {
      // That nobody waits any more says nothing about the body.
      if (!signal.aborted) options.onFailed?.()
      stop(error)
    }
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  if ((expectedLength ?? 0) > maxBytes) {
    pieces.stopCollecting()
    void report(undefined)
  }
  void pump()
  return { open: pieces.open, resumed, result }
}

function ignoreTimeout(error: unknown): void {
  if (!(error instanceof TimeoutError)) throw error
}
