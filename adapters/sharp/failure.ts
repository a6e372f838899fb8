type FailureStatus = 403 | 404 | 405 | 422 | 500 | 502 | 503 | 504

/**
 * Why a request gets no image. The message is for the client, so it contains no path of the machine; the details for the
 * operator are in `cause`.
 *
 * - 403 invalid signature
 * - 404 invalid URL, unknown or blocked source, or the origin answered 4xx
 * - 405 a method other than GET and HEAD
 * - 422 not an image, a type that is not accepted, too large, corrupt, or its transform crashed or took too much memory
 * - 502 the origin failed: refused or reset the connection, sent a wrong length, 5xx, too many redirects
 * - 503 the queue is full, or the process of the transform was killed from outside
 * - 504 the origin or the transform was too slow
 */
export class ImageFailure extends Error {
  override name = 'ImageFailure'
  readonly status: FailureStatus

  constructor(status: FailureStatus, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.status = status
  }
}

/** A source leads somewhere that is not allowed. Clients see an unknown source; the reason is logged. */
export class BlockedSource extends ImageFailure {
  override name = 'BlockedSource'

  constructor(reason: string) {
    super(404, 'Unknown source', { cause: new Error(reason) })
  }
}

/** Creates the failure for a source that is not configured or does not exist. Clients cannot tell which. */
export function unknownSource(cause?: unknown): ImageFailure {
  return new ImageFailure(404, 'Unknown source', { cause })
}

/** Creates the failure for an original of which no image is made. */
export function rejected(reason: string, cause?: unknown): ImageFailure {
  return new ImageFailure(422, `The original ${reason}`, { cause })
}

/** Creates the failure for a transform that took longer than `transformTimeout`. */
export function transformTimeout(cause?: unknown): ImageFailure {
  return new ImageFailure(504, 'Rendering the image took too long', { cause })
}
