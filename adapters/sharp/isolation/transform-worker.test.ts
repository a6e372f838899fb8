import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

// For a build that copies only traced files, such as `standalone` of Next.js, users list only sharp and this package.
test('the program of the image processes imports no package but sharp, and few files of this package', async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('transform-worker.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
    write: false,
  })
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports)
  const packages = imports.filter(({ external, path }) => external && !path.startsWith('node:')).map(({ path }) => path)
  expect(new Set(packages)).toEqual(new Set(['sharp']))
  expect(Object.keys(metafile.inputs).length).toBeLessThan(25)
})
