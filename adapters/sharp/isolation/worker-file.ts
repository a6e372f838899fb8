import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Only in what webpack and Rspack have built.
declare const __webpack_require__: unknown

/**
 * Finds the program of the transform processes: beside this file, or, when a bundler moved this code, in the package as
 * it is installed where the bundle or the working directory is. Returns `undefined` when there is none.
 */
export function findWorkerFile(): string | undefined {
  // webpack puts in the path of the machine that built, where another version may be installed when the site runs.
  const bundled =
    typeof __webpack_require__ === 'undefined' ? undefined : resolvePackage(join(process.cwd(), 'index.js'))
  if (bundled) return bundled
  // Bundlers for CommonJS leave it undefined, some put in a path of the machine that built.
  const here = import.meta.url as string | undefined
  return findBeside() ?? (here && resolvePackage(here)) ?? resolvePackage(join(process.cwd(), 'index.js'))
}

// Written so that @vercel/nft finds the file, with which Next.js chooses what `output: 'standalone'` copies; and not as
// `new URL('./transform-worker.js', import.meta.url)`, which webpack and Turbopack take for an asset: they copy that file,
// without those that it imports.
function findBeside(): string | undefined {
  try {
    const file = join(dirname(fileURLToPath(import.meta.url)), 'transform-worker.js')
    // Turbopack would trace the whole project for a file that it does not know.
    return existsSync(/* turbopackIgnore: true */ file) ? file : undefined
  } catch {
    return undefined // not the URL of a file
  }
}

function resolvePackage(from: string): string | undefined {
  try {
    return createRequire(from).resolve('sitewright/sharp/worker')
  } catch {
    return undefined
  }
}
