// Declared here since core has no types of Node. Bundlers may replace process.env.NODE_ENV.
declare const process: { env: { NODE_ENV?: string } } | undefined

/** Whether this is development: not when `NODE_ENV` is `production`, nor without a `process`, as in a browser. */
export function isDevelopment(): boolean {
  return typeof process !== 'undefined' && process.env.NODE_ENV !== 'production'
}

/** Warns on the console in development. */
export function warnInDevelopment(message: string): void {
  if (isDevelopment()) console.warn(message)
}

/** Creates a function that warns on the console in development, the first time that it is called. */
export function warnOnce(): (message: () => string) => void {
  let hasWarned = false
  return (message) => {
    if (hasWarned) return
    hasWarned = true
    if (isDevelopment()) console.warn(message())
  }
}
