import type { MaybePromise } from '../../../core/async.js'

/** The lifetime and validators of an original, as its origin sent them. The next request uses them. */
export interface OriginState {
  etag?: string
  /** `Last-Modified`. */
  modified?: string
  /** Seconds until the original is requested again. */
  maxAge?: number
}

/** An original that was read. */
export interface Original {
  /** `undefined` when the original has not changed since the known state. */
  bytes: Uint8Array<ArrayBuffer> | undefined
  /** The version that was read; `undefined` when the original changed while it was being read. */
  version: string | undefined
  state?: OriginState
}

/** One original, and how to read it. */
export interface OriginalSource {
  /** Originals of the same group share their limits. The group is the origin, or the folder in `sources`. */
  group: string
  /** Tag that purges the original; `undefined` for a file, because changes to files are detected. */
  tag: string | undefined
  /** Milliseconds for which the digest of a version is valid, unless the origin says something else. */
  digestTtl: number
  /**
   * Returns a string that identifies the original, and for a file also its state, without reading the content.
   *
   * @param signal Returns the client's signal, which ends a wait.
   * @throws ImageFailure 404 when there is no original.
   */
  version(signal?: () => AbortSignal | undefined): MaybePromise<string>
  /**
   * Reads the whole original.
   *
   * @param known State of an earlier read. If the original has not changed since, its origin need not send it again.
   * @throws ImageFailure, or the reason of the signal.
   */
  read(signal: AbortSignal, known?: OriginState): Promise<Original>
}
