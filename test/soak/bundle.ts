import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * Bundles a built example with all that it imports into one minified file, as some hosts want it, and returns the file.
 *
 * @param example Folder of the example, such as `examples/vite-hono/`.
 */
export async function bundleExample(example: URL): Promise<string> {
  const path = (relative: string, base = example) => JSON.stringify(fileURLToPath(new URL(relative, base)))
  const site = new URL('../site/', example)
  const outfile = fileURLToPath(new URL('dist/bundled.mjs', example))
  await mkdir(new URL('dist/', example), { recursive: true })
  await build({
    stdin: {
      contents: `
        import { createServer } from 'node:http'
        import { createApp } from './dist/app.js'
        const folders = {
          site: ${path('./', site)}, styles: ${path('styles/', site)}, styleguide: ${path('styleguide/', site)},
          build: ${path('dist/')}, cache: ${path('.cache/')},
        }
        const { listener } = await createApp(folders, 'http://127.0.0.1:' + process.env.PORT)
        createServer(listener).listen(Number(process.env.PORT), '127.0.0.1')
      `,
      resolveDir: fileURLToPath(example),
    },
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    // CommonJS packages in the bundle call `require`.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    external: ['sharp', 'lightningcss'],
    logLevel: 'error',
  })
  return outfile
}
