type FailureStatus = 404 | 422 | 502 | 503 | 504

/**
 * The reason why there is no image. It goes to the log, with its `cause`; visitors get the error of its status.
 *
 * - 404 unknown or blocked source, or the origin answered 4xx
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

/** Creates the failure for a source that is not configured or does not exist. */
export function unknownSource(cause?: unknown): ImageFailure {
  return new ImageFailure(404, 'Unknown source', { cause })
}

/** Creates the failure for a source that leads somewhere that is not allowed. */
export function blockedSource(reason: string): ImageFailure {
  return unknownSource(new Error(reason))
}

/** Creates the failure for an original that the service refuses to render. */
export function rejected(reason: string, cause?: unknown): ImageFailure {
  return new ImageFailure(422, `The original ${reason}`, { cause })
}

/** Creates the failure for a transform that took longer than `transformTimeout`. */
export function transformTimeout(cause?: unknown): ImageFailure {
  return new ImageFailure(504, 'Rendering the image took too long', { cause })
}
