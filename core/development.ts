// Declared here since core has no types of Node. Bundlers may replace process.env.NODE_ENV.
declare const process: { env: { NODE_ENV?: string; NEXT_PHASE?: string } } | undefined

/** Whether this is development: not when `NODE_ENV` is `production`, nor without a `process`, as in a browser. */
export function isDevelopment(): boolean {
  return typeof process !== 'undefined' && process.env.NODE_ENV !== 'production'
}

/** Whether `next build` loads the modules of a site, without the environment of its server: then nothing is missing. */
export function isNextBuild(): boolean {
  return typeof process !== 'undefined' && process.env.NEXT_PHASE === 'phase-production-build'
}

/** Warns on the console in development. */
export function warnInDevelopment(message: string): void {
  if (isDevelopment()) console.warn(message)
}

/**
 * Creates a function that warns on the console in development, the first time that it is called; with keys, the first time for
 * each of the first 20.
 */
export function warnOnce(): (message: () => string, key?: string) => void {
  const warned = new Set<string>()
  return (message, key = '') => {
    if (warned.size >= 20 || warned.has(key)) return
    warned.add(key)
    if (isDevelopment()) console.warn(message())
  }
}
