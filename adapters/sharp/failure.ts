/**
 * Why a request gets no image. The message is for the client, so it contains no path of the machine; the details for the
 * operator are in `cause`.
 *
 * - 403 invalid signature
 * - 404 invalid URL, unknown or blocked source, or the origin answered 4xx
 * - 405 a method other than GET and HEAD
 * - 422 not an image, a type that is not accepted, too large, corrupt, or its transform took too much memory or crashed
 * - 502 the origin failed: refused or reset the connection, sent a wrong length, 5xx, too many redirects
 * - 503 the queue is full, the origin had its share, or the process of the transform was killed from outside
 * - 504 the origin was too slow, or the transform took too long
 */
export class ImageFailure extends Error {
  override name = 'ImageFailure'
  readonly status: 403 | 404 | 405 | 422 | 502 | 503 | 504

  constructor(status: ImageFailure['status'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.status = status
  }
}

/** A transform that was ended or crashed: it would be again, so it is not tried again for a while. */
export class TransformFailure extends ImageFailure {
  override name = 'TransformFailure'
  /** Processor time that it took, as a share of its time limit: 1 when that says nothing about the failure. */
  readonly usedTime: number

  constructor(status: 422 | 503 | 504, message: string, options?: { cause?: unknown; usedTime?: number }) {
    super(status, message, options)
    this.usedTime = options?.usedTime ?? 1
  }
}

/**
 * Creates the failure of a transform beyond its time limit.
 *
 * @param usedTime Processor time that it took, as a share of its time limit.
 */
export function tookTooLong(usedTime: number, cause?: unknown): TransformFailure {
  return new TransformFailure(504, 'Rendering the image took too long', { cause, usedTime })
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

/** Creates the failure for an original of more than `maxBytes`. */
export function originalTooLarge(maxBytes: number): ImageFailure {
  return new ImageFailure(422, `The original is larger than ${maxBytes} bytes`)
}

/** Creates the failure for a request that would wait for too long. */
export function busy(cause?: unknown): ImageFailure {
  return new ImageFailure(503, 'The image service is busy', { cause })
}
