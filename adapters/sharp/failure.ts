type FailureStatus = 403 | 404 | 405 | 422 | 500 | 502 | 503 | 504

/**
 * The reason why a request gets no image. Clients see the message, so it contains no file paths; the details for the
 * operator are in `cause`.
 *
 * - 403 invalid signature
 * - 404 invalid URL, unknown or blocked source, or the origin answered 4xx
 * - 405 a method other than GET or HEAD
 * - 422 the original is not an image, has a type that is not accepted, is too large or corrupt, or its transform
 *   crashed or took too much memory
 * - 502 the origin failed: it refused or reset the connection, sent a wrong length, answered 5xx, or redirected too
 *   often
 * - 503 the queue is full, or the transform process was killed from outside
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

/**
 * Thrown when a source leads somewhere that is not allowed. Clients see "Unknown source"; the actual reason is logged.
 */
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

/** Creates the failure for an original that the service refuses to render. */
export function rejected(reason: string, cause?: unknown): ImageFailure {
  return new ImageFailure(422, `The original ${reason}`, { cause })
}

/** Creates the failure for a transform that took longer than `transformTimeout`. */
export function transformTimeout(cause?: unknown): ImageFailure {
  return new ImageFailure(504, 'Rendering the image took too long', { cause })
}
