import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createImagePlanner, encodeSource } from '../../core/image/index.js'
import { fileVersions } from './file-versions.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sitewright-versions-'))
  await writeFile(join(folder, 'cat.jpg'), 'cat')
  await writeFile(join(folder, 'film.mp4'), '')
  await truncate(join(folder, 'film.mp4'), 3_000_000_000)
  await writeFile(join(folder, 'large.jpg'), '')
  await truncate(join(folder, 'large.jpg'), 50_000_001)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

it('a file is not read when a visitor names it and it is too large for an image', () => {
  const version = fileVersions({ '/media/': folder })
  expect(version('/media/cat.jpg')).toMatch(/^[\w-]{16}$/)
  expect([version('/media/film.mp4'), version('/media/large.jpg')]).toEqual([undefined, undefined])
  const plan = createImagePlanner({
    serviceUrl: 'http://images.test',
    key: 'aa',
    salt: 'bb',
    sources: ['/media/'],
    version,
  })
  const path = `/_image/${encodeSource('/media/large.jpg')}?width=640`
  expect(plan({ method: 'GET', url: `http://site.test${path}&v=x` })).toEqual({ location: path })
})
