/**
 * Why a request gets no picture. The message is for the visitor, so it names no path of the machine; what an operator
 * needs is in `cause`.
 *
 * - 403 wrong signature
 * - 404 unreadable URL, unknown source, a source that is refused, or the origin has none (its 4xx)
 * - 405 another method than GET and HEAD
 * - 422 no image, a refused type, too large, broken
 * - 502 the origin failed: refused, reset, lied about its length, 5xx, too many redirects
 * - 503 the queue is full, or the transform took too long
 * - 504 the origin was too slow
 */
export class ImageFailure extends Error {
  override name = 'ImageFailure'
  readonly status: 403 | 404 | 405 | 422 | 502 | 503 | 504

  constructor(status: ImageFailure['status'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.status = status
  }
}

/** A source that is known but leads where it may not: visitors are told that it is unknown, the operator why. */
export class RefusedSource extends ImageFailure {
  override name = 'RefusedSource'

  constructor(why: string) {
    super(404, 'Unknown source', { cause: new Error(why) })
  }
}

/** The source is none of the configured ones, or has no such picture; which of them is nobody's business. */
export function unknownSource(cause?: unknown): ImageFailure {
  return new ImageFailure(404, 'Unknown source', { cause })
}
