// Not of Node's types, since core has none; a bundler may replace process.env.NODE_ENV.
declare const process: { env: { NODE_ENV?: string } } | undefined

/** Whether a developer is watching: not when `NODE_ENV` is `production`, nor where there is no `process`, as in a browser. */
export function isDevelopment(): boolean {
  return typeof process !== 'undefined' && process.env.NODE_ENV !== 'production'
}

/** Warns on the console in development. */
export function warnInDevelopment(message: string): void {
  if (isDevelopment()) console.warn(message)
}
