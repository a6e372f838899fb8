/**
 * Whether a thrown value is control flow of React or Next.js, and must be rethrown: the promise of Suspense, or the
 * exception that React 19 throws instead (460 and 542 in production), and Next.js' `notFound()`, `redirect()` and the
 * like, whose digest is a word. The digest of an error in a server component is a number.
 */
export function isControlFlow(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  if (isPromise(thrown) || '$$typeof' in thrown) return true
  if ('digest' in thrown && typeof thrown.digest === 'string' && /^[A-Z]/.test(thrown.digest)) return true
  return thrown instanceof Error && /^Suspense Exception|React error #(?:460|542)\b/.test(thrown.message)
}

/** Whether a value is a promise or a thenable. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
