import { cp, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { defineConfig } from 'tsup'

const { outputFiles: assets } = await build({
  entryPoints: ['react/styleguide/styles/index.css', 'react/styleguide/script/index.ts'],
  entryNames: 'styleguide',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  outdir: 'dist',
  write: false,
})
const textOf = (ending: string) => JSON.stringify(assets.find(({ path }) => path.endsWith(ending))?.text)

// Unbundled: dist mirrors the source, so that 'use client' survives and every entry stays tree-shakable.
export default defineConfig({
  entry: [
    '{core,adapters,react,cli}/**/*.{ts,tsx}',
    '!cli/templates/**',
    '!**/*.test.{ts,tsx}',
    '!**/testing/**',
    '!react/styleguide/script/**',
  ],
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  bundle: false,
  clean: true,
  define: { STYLEGUIDE_CSS: textOf('.css'), STYLEGUIDE_SCRIPT: textOf('.js') },
  onSuccess: writeAssets,
})

async function writeAssets(): Promise<void> {
  // From the build just made, since that is what users call for breakpoints of their own.
  const built = new URL('dist/core/spacing/index.js', import.meta.url).href
  const { spacingStylesheet } = (await import(built)) as typeof import('./core/spacing/index.js')
  // For a compiler that checks the import of a stylesheet, as TypeScript 6 does.
  await writeFile('dist/stylesheet.d.ts', 'export {}\n')
  await writeFile('dist/spacing.css', spacingStylesheet())
  await writeFile('dist/spacing.layer.css', spacingStylesheet({ layered: true }))
  const placeholder = new URL('dist/core/image/describe/stylesheet.js', import.meta.url).href
  const { placeholderStylesheet } = (await import(placeholder)) as typeof import('./core/image/describe/stylesheet.js')
  await writeFile('dist/placeholder.css', placeholderStylesheet())
  await cp('core/styleguide/styleguide-index.schema.json', 'dist/styleguide-index.schema.json')
  await cp('cli/templates', 'dist/cli/templates', { recursive: true })
  for (const { path, contents } of assets) await writeFile(path, contents)
  await writeCommonJs()
}

/**
 * Builds `sitewright/next-image` as CommonJS, for Node. Where Next.js does not bundle packages, an ES module is loaded
 * asynchronously, and `next/image` then finds no function in the loader's file.
 */
async function writeCommonJs(): Promise<void> {
  const outfile = 'dist/next-image.cjs'
  const entryPoints = ['adapters/next/image/index.ts']
  await build({ entryPoints, outfile, bundle: true, format: 'cjs', platform: 'node', target: 'es2023' })
  const from = `import('./adapters/next/image/index.js', { with: { 'resolution-mode': 'import' } })`
  const names = ['createImageLoader', 'nextImageLoader']
  const lines = names.map((name) => `export declare const ${name}: typeof ${from}.${name}\n`)
  await writeFile('dist/next-image.d.cts', `${lines.join('')}export type NextImageLoader = ${from}.NextImageLoader\n`)
}
