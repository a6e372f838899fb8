import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Bundles the program of the transform processes from this source, for Node, which cannot run TypeScript, and since `dist`
 * may be older. Returns its path.
 */
export const buildWorker = async () => {
  // Below node_modules, so that sharp is found; by process, since test files run side by side.
  const directory = join(root, 'node_modules', '.cache', 'sitewright-worker')
  await mkdir(directory, { recursive: true })
  const outfile = join(directory, `${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL('../isolation/transform-worker.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  })
  return outfile
}
