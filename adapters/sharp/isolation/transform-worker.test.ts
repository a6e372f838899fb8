import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

// A site that copies only the files it can foresee, as Next.js does for `standalone`, is told to copy sharp and this package.
test('imports no package but sharp, and little of this one', async () => {
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
