import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Finds the program of the transform processes: beside this file, or, when a bundler moved this code, in the package as
 * it is installed where the bundle or the working directory is. Returns `undefined` when there is none.
 */
export function findWorkerFile(): string | undefined {
  // Bundlers for CommonJS leave it undefined. In a variable, since webpack takes the file of a literal URL for an asset.
  const here = import.meta.url as string | undefined
  const workingDirectory = pathToFileURL(join(process.cwd(), 'index.js')).href
  const beside = here?.startsWith('file:') ? fileURLToPath(new URL('./transform-worker.js', here)) : undefined
  if (beside && existsSync(beside)) return beside
  for (const base of [here, workingDirectory]) {
    const file = base && resolveFrom(base)
    if (file && existsSync(file)) return file
  }
  return undefined
}

function resolveFrom(base: string): string | undefined {
  try {
    return createRequire(base).resolve(['sitewright', 'sharp', 'worker'].join('/'))
  } catch {
    return undefined
  }
}
