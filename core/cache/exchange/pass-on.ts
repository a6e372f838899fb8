import { withBodyEnd } from '../../http/body-end.js'
import type { Render } from './context.js'

/**
 * Passes on a body that nobody shares, whose render is settled. That is aborted when its visitor leaves, for as long as the
 * body is read.
 *
 * @param onPiece Called with each piece, and with `undefined` at the end of a body that did not fail.
 */
export function passOn(
  { exchange, inFlight }: Render,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onPiece?: (piece: Uint8Array | undefined) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { signal } = exchange.request
  const onAbort = () => inFlight.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  return withBodyEnd(body, () => signal?.removeEventListener('abort', onAbort), onPiece)
}
