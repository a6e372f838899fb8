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
