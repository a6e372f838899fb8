/** A mistake or a circumstance that the user can do something about; the message says what. */
export class InitError extends Error {
  override name = 'InitError'
}

/** A command line that cannot be read. */
export class UsageError extends Error {
  override name = 'UsageError'
}
