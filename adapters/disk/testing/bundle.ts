import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Bundles a script so that Node can run it in a process of its own, and removes the bundle after the test. */
export const withScript = async <T>(source: URL, run: (script: string) => Promise<T>): Promise<T> => {
  // The bundle is below node_modules, so that Node finds the packages that it imports.
  const cache = join(root, 'node_modules', '.cache')
  await mkdir(cache, { recursive: true })
  const outDir = await mkdtemp(join(cache, 'sitewright-script-'))
  try {
    await build({
      configFile: false,
      logLevel: 'silent',
      root,
      build: {
        ssr: fileURLToPath(source),
        outDir,
        rollupOptions: { output: { entryFileNames: 'script.mjs' } },
      },
    })
    return await run(join(outDir, 'script.mjs'))
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}
