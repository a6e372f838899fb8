/** An error that names file, line and column, where they are known. */
export function placed(file: string, reason: string, line?: unknown, column?: unknown, cause?: unknown): Error {
  const place = [file, line, column].filter((part) => part !== undefined && part !== null).join(':')
  return new Error(`${place}: ${reason}`, { cause })
}

/** The error of compiling a page, with the place that the compiler tells. */
export function compileError(file: string, error: unknown): Error {
  if (!(error instanceof Error)) return placed(file, String(error))
  const { reason = error.message, ...place } = error as { reason?: string; line?: unknown; column?: unknown }
  const why = error.cause instanceof Error ? `${reason}: ${error.cause.message}` : reason
  // A tag that never ends has its place in the text alone.
  const [, line = place.line, column = place.column] = /\((\d+):(\d+)-\d+:\d+\)$/.exec(reason) ?? []
  return placed(file, why, line, column, error)
}
