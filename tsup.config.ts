import { cp, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { defineConfig } from 'tsup'
import { stylesheetScope } from './react/styleguide/styles/scope.js'

// The stylesheets and scripts of the styleguide, as files and as texts.
const bundling = {
  bundle: true,
  ...stylesheetScope,
  minify: true,
  format: 'iife',
  target: 'es2022',
  outdir: 'dist',
  write: false,
} as const
const { outputFiles: assets } = await build({
  ...bundling,
  entryPoints: ['react/styleguide/styles/index.css', 'react/styleguide/script/index.ts'],
  entryNames: 'styleguide',
})
const { outputFiles: xRay } = await build({
  ...bundling,
  entryPoints: ['react/styleguide/x-ray/x-ray.css', 'react/styleguide/x-ray/index.ts'],
  entryNames: 'x-ray',
  // X-ray measures differences with culori, and lets the browser parse.
  plugins: [
    {
      name: 'without the parser of colors',
      setup: ({ onLoad }) => {
        const contents =
          'export const Tok = {}, tokenize = 0, parseColorSyntax = 0, parseModernSyntax = 0; export default () => {}'
        onLoad({ filter: /culori.src.parse\.js$/ }, () => ({ contents }))
      },
    },
  ],
})
const textOf = (files: typeof assets, ending: string) =>
  JSON.stringify(files.find(({ path }) => path.endsWith(ending))?.text)

// Unbundled: dist mirrors the source, so that 'use client' survives and every entry stays tree-shakable.
export default defineConfig({
  entry: [
    '{core,adapters,react,cli}/**/*.{ts,tsx}',
    '!cli/templates/**',
    '!**/*.test.{ts,tsx}',
    '!**/testing/**',
    '!react/styleguide/{script,styles}/**',
    '!react/styleguide/x-ray/{index,card,elements,follow,measure,nodes}.ts',
  ],
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  bundle: false,
  clean: true,
  define: {
    STYLEGUIDE_CSS: textOf(assets, '.css'),
    STYLEGUIDE_SCRIPT: textOf(assets, '.js'),
    X_RAY_CSS: textOf(xRay, '.css'),
    X_RAY_SCRIPT: textOf(xRay, '.js'),
  },
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
  for (const { path, contents } of [...assets, ...xRay]) await writeFile(path, contents)
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
