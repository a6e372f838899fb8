/** What went wrong, for a log: the message and those of all its causes, since `fetch` says only "fetch failed". */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? `${error.message}: ${describeError(error.cause)}` : error.message
}
