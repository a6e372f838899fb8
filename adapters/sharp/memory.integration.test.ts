import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { short } from '../../test/setup/long.js'
import { withScript } from '../disk/testing/bundle.js'
import { folderWith } from '../disk/testing/folder.js'
import { photograph } from './testing/originals.js'

const MB = 1_000_000

const count = short(120, 500)

test(`rendering ${count} distinct images of 6000 x 4000 pixels stays under 600 MB, with 503 once the queue is full`, {
  timeout: 300_000,
}, async () => {
  const folder = await folderWith()
  await writeFile(
    join(folder, 'large.jpg'),
    await sharp(photograph).resize(6000, 4000).jpeg({ quality: 90 }).toBuffer(),
  )
  const { stdout } = await withScript(new URL('testing/transform-many.ts', import.meta.url), (script) =>
    promisify(execFile)(process.execPath, [script, folder, String(count)]),
  )
  const { statuses, rss, peak } = JSON.parse(stdout) as { statuses: Record<number, number>; rss: number; peak: number }
  expect(statuses[200]).toBe(count)
  expect(statuses[503]).toBeGreaterThan(0)
  expect(Object.keys(statuses).sort()).toEqual(['200', '503'])
  expect(rss / MB).toBeLessThan(600)
  expect(peak / MB).toBeLessThan(600)
})
