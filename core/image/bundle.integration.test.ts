import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const program = `
  import { createImageLoader } from './core/image/loader.ts'
  import { createImageComponent } from './react/image/image.tsx'
  export const Image = createImageComponent(createImageLoader({ sources: ['/media/'] }))`

it('<Image> with its loader takes at most 4.7 kB of a client bundle, compressed, without texts for developers', async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL('../../', import.meta.url)), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    external: ['react', 'react-dom'],
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  const { text, contents } = outputFiles[0] as (typeof outputFiles)[number]
  expect(text).not.toContain('the proxy answers 400')
  expect(gzipSync(contents).length).toBeLessThanOrEqual(4700)
})
