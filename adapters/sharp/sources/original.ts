import type { MaybePromise } from '../../../core/async.js'

/** An original that was read. */
export interface Original {
  bytes: Uint8Array<ArrayBuffer>
  /** The version that was read; `undefined` when the original changed while it was read. */
  version: string | undefined
}

/** One original, and how to read it. */
export interface OriginalSource {
  /** Names those that it shares its places with: the others of its origin, or of its folder in `sources`. */
  group: string
  /** Tag that a purge of the original names; `undefined` for a file, of which changes are noticed. */
  tag: string | undefined
  /** Milliseconds for which the digest of a version is valid. */
  digestTtl: number
  /**
   * Returns a text that changes whenever the original does, without reading it.
   *
   * @param signal Returns the signal of the client, which ends a wait.
   * @throws ImageFailure 404 when there is no original.
   */
  version(signal?: () => AbortSignal | undefined): MaybePromise<string>
  /**
   * Reads the original whole.
   *
   * @throws ImageFailure, or the reason of the signal.
   */
  read(signal: AbortSignal): Promise<Original>
}
