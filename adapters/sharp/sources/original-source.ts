/** An original as it was read. */
export interface Original {
  bytes: Uint8Array
  /** The version that was read; `undefined` when it changed meanwhile, or has none. */
  version: string | undefined
}

/** Where an original is. */
export interface Place {
  /** Local files are quick to read, but need memory; what is remote takes its time, but no processor. */
  kind: 'file' | 'remote'
  /** How long in milliseconds the digest of a version may be relied on. */
  freshFor: number
  /**
   * What changes whenever the original does, found without reading it.
   *
   * @throws ImageFailure 404 when there is none.
   */
  version(): Promise<string>
  /**
   * Reads all of it.
   *
   * @throws ImageFailure, or the reason of the signal.
   */
  read(signal: AbortSignal): Promise<Original>
}
