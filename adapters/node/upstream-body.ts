import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { createBodyPace } from '../../core/http/body-pace.js'
import { TimeoutError } from '../../core/timeout.js'

/** Returns the error of a body that is encoded though `identity` was asked for. */
export function unaskedEncoding(field: string | null): Error | undefined {
  const encoding = field?.trim() || 'identity'
  if (encoding.toLowerCase() === 'identity') return undefined
  return new Error(`response body: expected no Content-Encoding, got ${encoding}`)
}

/** Gives up a body, and closes its connection. Without a listener, the error that this emits would end the process. */
export function destroyBody(body: Readable, reason?: Error): void {
  body.on('error', () => {}).destroy(reason)
}

// Such as 103 Early Hints, of which one is usual.
const maxInformational = 10

/**
 * Creates the `onInfo` of a request. Without it, a server could send 1xx responses until the time limit (RFC 9110, section
 * 15.2: any number), each of which takes time of this process.
 */
export function createInformationalLimit(): () => void {
  let count = 0
  return () => {
    // undici gives up the request when this throws.
    if (++count > maxInformational) throw new Error(`the server sent more than ${maxInformational} 1xx responses`)
  }
}

// Milliseconds, and bytes: what a new connection takes at most.
const discardTime = 1_000
const maxDiscardedBytes = 64 * 1024

/**
 * Gives up a body that nobody reads. Its connection is kept when the rest arrives within a second and is short: undici waits
 * again for each chunk, so that a service which sends one byte every now and then would hold it for days.
 */
export function discardBody(body: Dispatcher.ResponseData['body']): void {
  const timer = setTimeout(() => destroyBody(body), discardTime).unref()
  const onEnd = () => clearTimeout(timer)
  body.dump({ limit: maxDiscardedBytes }).then(onEnd, onEnd)
}

/**
 * Reads a whole body that is known to be short; `undefined` when it is empty. By events, since an iterator creates some
 * promises and listeners for each part: what requests leave to the garbage collector is what the slowest of them wait for.
 */
export function readWhole(body: Readable, timeout: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return new Promise((resolve, reject) => {
    const parts: Buffer<ArrayBuffer>[] = []
    const pace = createBodyPace(timeout)
    const onData = (part: Buffer<ArrayBuffer>) => {
      parts.push(part)
      const tooSlow = pace.receive(part.length)
      if (tooSlow) destroyBody(body, tooSlow)
    }
    body
      .on('data', onData)
      .on('end', () => resolve(parts.length > 1 ? Buffer.concat(parts) : parts[0]))
      .on('error', (error) => reject(toTimeoutError(error, timeout)))
      .on('close', () => reject(endedEarly()))
    // Its events may be over: the client may have left meanwhile.
    if (body.destroyed) reject(toTimeoutError(body.errored ?? endedEarly(), timeout))
  })
}

function endedEarly(): Error {
  return new Error('response body: ended early')
}

/** Waits for the first chunk, or the end. */
export function hasContent(body: Readable, timeout: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      body.off('readable', onReadable).off('end', onReadable).off('error', onError)
    }
    const onReadable = () => {
      settle()
      // At its end it is readable, too, of nothing.
      if (body.readableLength === 0) body.resume()
      resolve(body.readableLength > 0)
    }
    const onError = (error: unknown) => {
      settle()
      reject(toTimeoutError(error, timeout))
    }
    if (body.errored) return reject(toTimeoutError(body.errored, timeout))
    body.on('readable', onReadable).on('end', onReadable).on('error', onError)
  })
}

/**
 * Lets whoever converts a body to a web stream cancel it while a read is pending: by itself, the iterator of a stream of
 * Node would wait for that read, and so for a service that stalls.
 */
export function withQuickReturn(body: Readable): Readable {
  const iterate = body[Symbol.asyncIterator].bind(body)
  body[Symbol.asyncIterator] = () => {
    const iterator = iterate()
    const quick = {
      next: () => iterator.next(),
      async return() {
        destroyBody(body)
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]: () => quick,
    }
    return quick as unknown as ReturnType<typeof iterate>
  }
  return body
}

export function isAborted(error: unknown): boolean {
  return codeOf(error) === 'UND_ERR_ABORTED'
}

export function toTimeoutError(error: unknown, timeout: number): unknown {
  return codeOf(error) === 'UND_ERR_BODY_TIMEOUT' ? new TimeoutError(`not done within ${timeout} ms`) : error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
