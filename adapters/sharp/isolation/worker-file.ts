import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Finds the program of the transform processes: beside this file, or, when a bundler moved this code, in the package as
 * it is installed where the bundle or the working directory is. Returns `undefined` when there is none.
 */
export function findWorkerFile(): string | undefined {
  // Bundlers for CommonJS leave it undefined, some put in a path of the machine that built.
  const here = import.meta.url as string | undefined
  return (
    (here && resolveFile('./transform-worker.js', here)) ??
    (here && resolveFile('sitewright/sharp/worker', here)) ??
    resolveFile('sitewright/sharp/worker', join(process.cwd(), 'index.js'))
  )
}

// Not `new URL('./transform-worker.js', import.meta.url)`, which webpack and Turbopack take for an asset: they copy that
// file, without those that it imports.
function resolveFile(specifier: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(specifier)
  } catch {
    return undefined
  }
}
