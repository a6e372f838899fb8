import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { rounds } from '../../test/setup/rounds.js'
import { withScript } from '../disk/testing/bundle.js'
import { folderWith } from '../disk/testing/folder.js'
import { photograph } from './testing/originals.js'
import { buildWorker } from './testing/worker.js'

const MB = 1_000_000

// A decoded picture takes 72 MB, so ten that are kept are above every bound.
const count = rounds(10)

let folder: string
beforeAll(async () => {
  folder = await folderWith()
  await writeFile(
    join(folder, 'large.jpg'),
    await sharp(photograph).resize(6000, 4000).jpeg({ quality: 90 }).toBuffer(),
  )
}, 60_000)

const renderMany = async (...options: string[]) => {
  const { stdout } = await withScript(new URL('testing/transform-many.ts', import.meta.url), (script) =>
    promisify(execFile)(process.execPath, [script, folder, ...options]),
  )
  return JSON.parse(stdout)
}

test(`rendering ${count} distinct images of 6000 x 4000 pixels stays under 600 MB`, {
  timeout: 300_000,
}, async () => {
  const { statuses, rss, peak } = await renderMany('', String(count))
  expect(statuses).toEqual({ 200: count })
  expect(rss / MB).toBeLessThan(600)
  expect(peak / MB).toBeLessThan(600)
})

test('rendered in image processes, all images are AVIF, and the memory is released', { timeout: 600_000 }, async () => {
  // Idle processes keep 192 MiB at most, as measured by themselves.
  const maxOfWorker = 230 * MB
  const { statuses, types, peak, workers } = await renderMany(await buildWorker(), String(count), String(maxOfWorker))
  expect([statuses[200], types['image/avif']]).toEqual([count, count])
  expect(peak / MB).toBeLessThan(350)
  expect(Math.max(0, ...workers) / MB).toBeLessThanOrEqual(maxOfWorker / MB)
})
