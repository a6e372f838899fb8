import { execFile } from 'node:child_process'
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, expect, test, vi } from 'vitest'
import { folderWith } from '../../disk/testing/folder.js'
import { photograph } from '../testing/originals.js'
import { buildWorker } from '../testing/worker.js'

vi.setConfig({ testTimeout: 120_000 })

const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
const site = fileURLToPath(new URL('../testing/bundled-site.ts', import.meta.url))

let folder: string
let worker: string
beforeAll(async () => {
  folder = await folderWith({ 'photo.jpg': photograph })
  worker = await buildWorker()
})

/** Bundles a site into one minified file. Its folder has sharp, undici and, with `installed`, sitewright. */
const bundleSite = async (format: 'esm' | 'cjs', { installed }: { installed: boolean }) => {
  const app = await folderWith()
  await mkdir(join(app, 'node_modules', 'sitewright'), { recursive: true })
  for (const name of ['sharp', 'undici']) await symlink(join(modules, name), join(app, 'node_modules', name))
  // The site may have its own file of this name beside the bundle. It must not be used as the worker.
  await writeFile(join(app, 'worker.js'), 'throw new Error("not this one")')
  await copyFile(worker, join(app, 'image-worker.mjs'))
  if (installed) {
    const exports = { './sharp/worker': './worker.mjs' }
    await writeFile(
      join(app, 'node_modules', 'sitewright', 'package.json'),
      JSON.stringify({ name: 'sitewright', exports }),
    )
    await copyFile(worker, join(app, 'node_modules', 'sitewright', 'worker.mjs'))
  }
  const outfile = join(app, format === 'esm' ? 'server.mjs' : 'server.cjs')
  await build({
    entryPoints: [site],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format,
    external: ['sharp', 'undici'],
    logLevel: 'silent',
  })
  return async (...options: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [outfile, folder, ...options], { cwd: app })
    return JSON.parse(stdout)
  }
}

const inProcess = {
  status: 200,
  processes: 0,
  logged: [
    [
      'Images are decoded in the process of the site',
      { reason: 'the file sitewright/sharp/worker is missing; set workerFile where a bundler moved it' },
    ],
  ],
}

test.each(['esm', 'cjs'] as const)(
  'a site in one minified file finds the worker of the package: %s',
  async (format) => {
    const run = await bundleSite(format, { installed: true })
    expect(await run()).toEqual({ status: 200, processes: 1, logged: [] })
  },
)

test('without the package, a bundled site decodes in its own process and says so once, or uses workerFile', async () => {
  const run = await bundleSite('esm', { installed: false })
  expect(await run()).toEqual(inProcess)
  expect(await run('image-worker.mjs')).toEqual({ status: 200, processes: 1, logged: [] })
})
