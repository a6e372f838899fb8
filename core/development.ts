// The type is declared here, because core does not depend on Node's types. Bundlers may replace process.env.NODE_ENV.
declare const process: { env: Readonly<Partial<Record<string, string>>> } | undefined

/**
 * Whether the code runs in development: there is a `process`, unlike in a browser, and `NODE_ENV` is not `production`.
 */
export function isDevelopment(): boolean {
  return typeof process !== 'undefined' && process.env.NODE_ENV !== 'production'
}

/**
 * Whether `next build` loads the site's modules. The server's environment is absent then, so a missing variable is not
 * an error.
 */
export function isNextBuild(): boolean {
  return typeof process !== 'undefined' && process.env.NEXT_PHASE === 'phase-production-build'
}

/**
 * Whether this process is one of several that run the same program: a worker of Node's `cluster`, or any but the first
 * instance of PM2.
 */
export function isOneOfSeveralProcesses(): boolean {
  if (typeof process === 'undefined') return false
  return process.env.NODE_UNIQUE_ID !== undefined || Number(process.env.NODE_APP_INSTANCE) > 0
}

/** Warns on the console in development. */
export function warnInDevelopment(message: string): void {
  if (isDevelopment()) console.warn(message)
}

/**
 * Creates a function that returns whether it gets a key for the first time. After 20 keys, every key counts as known.
 */
export function createIsNew(): (key: string) => boolean {
  const seenKeys = new Set<string>()
  return (key) => seenKeys.size < 20 && seenKeys.size < seenKeys.add(key).size
}

/**
 * Creates a function that warns on the console in development, the first time it is called. With keys, it warns once
 * for each of the first 20 keys.
 */
export function warnOnce(): (message: () => string, key?: string) => void {
  const isNew = createIsNew()
  return (message, key = '') => {
    if (isNew(key) && isDevelopment()) console.warn(message())
  }
}
