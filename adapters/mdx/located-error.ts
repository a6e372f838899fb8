/** A location in a source file. Lines and columns count from 1. */
export interface FileLocation {
  file: string
  line?: unknown
  column?: unknown
}

/** Creates an error whose message begins with file, line and column, as far as they are known. */
export function errorAt({ file, line, column }: FileLocation, reason: string, cause?: unknown): Error {
  const location = [file, line, column].filter((part) => part !== undefined && part !== null).join(':')
  return new Error(`${location}: ${reason}`, { cause })
}

/** Creates the error for a page that cannot be compiled, with the location that the compiler reports. */
export function compileError(file: string, error: unknown): Error {
  if (!(error instanceof Error)) return errorAt({ file }, String(error))
  const { reason = error.message, ...reported } = error as { reason?: string; line?: unknown; column?: unknown }
  const message = error.cause instanceof Error ? `${reason}: ${error.cause.message}` : reason
  // For an unclosed tag, only the text has the location.
  const [, line = reported.line, column = reported.column] = /\((\d+):(\d+)-\d+:\d+\)$/.exec(reason) ?? []
  return errorAt({ file, line, column }, message, error)
}
