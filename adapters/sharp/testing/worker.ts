import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Bundles the program of the transform processes from this source, because Node cannot run TypeScript, and `dist` may
 * be older. Returns its path.
 */
export const buildWorker = async () => {
  // Below node_modules, so that sharp is found.
  const directory = join(root, 'node_modules', '.cache', 'sitewright-worker')
  await mkdir(directory, { recursive: true })
  const outfile = join(directory, `${process.pid}.mjs`)
  const file = join(directory, 'transform-worker.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('../isolation/transform-worker.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  })
  // In one step, because test files run at the same time.
  await rename(outfile, file)
  return file
}
