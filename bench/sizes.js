// What pages download: compressed stylesheets and scripts, and a page of the styleguide with Tailwind's whole palette.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { ColorPage } from 'sitewright/react/styleguide'
import { fromTailwind4 } from 'sitewright/tailwind'
import { record } from './figures.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const gzipped = (contents) => gzipSync(contents).length
const image = `
  import { createImageLoader } from 'sitewright/image'
  import { createImageComponent } from 'sitewright/react/image'
  export const Image = createImageComponent(createImageLoader({ sources: ['/media/'] }))`

export async function benchSizes() {
  const files = ['placeholder.css', 'spacing.css', 'styleguide.css', 'styleguide.js']
  const sizes = Object.fromEntries(files.map((name) => [name, gzipped(readFileSync(`${root}dist/${name}`))]))
  print('Compressed files', 'bytes', { '<Image>': await bundleSize(image), ...sizes })

  const { colors } = await fromTailwind4('@import "tailwindcss";', { from: `${root}theme.css` })
  const html = renderToString(createElement(ColorPage, { colors, layout: 'grouped' }))
  print("Tailwind's palette", '', {
    colors: colors.length,
    kilobytes: html.length / 1000,
    compressed: gzipped(html) / 1000,
  })
}

/** Bytes of a client bundle, without React. */
async function bundleSize(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['react', 'react-dom'],
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
  })
  return gzipped(outputFiles[0].contents)
}

function print(title, unit, values) {
  console.log(`\n${title}`)
  for (const [name, value] of Object.entries(values)) {
    console.log(`  ${name.padEnd(44)} ${value.toFixed(0).padStart(7)} ${unit}`)
  }
  record(title, unit, values)
}
