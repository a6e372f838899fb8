/**
 * Why a request gets no image. The message is for the client, so it contains no path of the machine; the details for the
 * operator are in `cause`.
 *
 * - 403 invalid signature
 * - 404 invalid URL, unknown or blocked source, or the origin answered 4xx
 * - 405 a method other than GET and HEAD
 * - 422 not an image, a type that is not accepted, too large, corrupt, or its transform took too much processor time or
 *   memory, or crashed
 * - 502 the origin failed: refused or reset the connection, sent a wrong length, 5xx, too many redirects
 * - 503 the queue is full, the origin had its share, or the process of the transform was killed from outside
 * - 504 the origin was too slow, or the transform did not get its processor time soon enough
 */
export class ImageFailure extends Error {
  override name = 'ImageFailure'
  readonly status: 403 | 404 | 405 | 422 | 502 | 503 | 504

  constructor(status: ImageFailure['status'], message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.status = status
  }
}

/** An original that no decoder can read to its end, which may take long to find out. */
export class CorruptOriginal extends ImageFailure {
  override name = 'CorruptOriginal'

  constructor(options?: { cause?: unknown }) {
    super(422, 'The original is corrupt', options)
  }
}

/** An original of which no image is made, whatever the options: of another type, or too large. */
export class RejectedOriginal extends ImageFailure {
  override name = 'RejectedOriginal'

  constructor(message: string, options?: { cause?: unknown }) {
    super(422, message, options)
  }
}

/** A transform that was ended or crashed: it would be again, so it is not tried again for a while. */
export class TransformFailure extends ImageFailure {
  override name = 'TransformFailure'
}

/** A transform took all the processor time that it may take, and would again. */
export class ProcessorTimeExceeded extends TransformFailure {
  override name = 'ProcessorTimeExceeded'

  /** @param limit In milliseconds. */
  constructor(limit: number, options?: { cause?: unknown }) {
    const advice = 'choose a smaller width, a smaller original or another format'
    super(422, `Rendering the image takes longer than ${limit} ms; ${advice}`, options)
  }
}

/**
 * A transform was not finished in time although it had not taken all of its processor time: the machine is busy, or the
 * process hangs. That says nothing about the image.
 */
export class TransformTimeout extends ImageFailure {
  override name = 'TransformTimeout'

  constructor(options?: { cause?: unknown }) {
    super(504, 'Rendering the image took too long', options)
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

/** Creates the failure for an original of more than `maxBytes`. */
export function originalTooLarge(maxBytes: number): RejectedOriginal {
  return new RejectedOriginal(`The original is larger than ${maxBytes} bytes`)
}

/** Creates the failure for a request that would wait for too long. */
export function busy(cause?: unknown): ImageFailure {
  return new ImageFailure(503, 'The image service is busy', { cause })
}
