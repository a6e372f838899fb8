import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createImages } from '../../core/image/index.js'
import { fileVersions } from '../node/index.js'
import { sharpService } from './index.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sitewright-failures-'))
  for (const name of ['broken', 'torn']) await writeFile(join(folder, `${name}.jpg`), 'no image')
})
afterAll(() => rm(folder, { recursive: true }))

function start() {
  const log = vi.fn()
  const images = createImages({
    sources: { '/media/': folder },
    service: sharpService({ isolation: 'none' }),
    log,
  })
  const get = async (src: string, headers = {}) => {
    const response = await images.handler(
      new Request(new URL(images.loader({ src, width: 64 }), 'http://site.test'), { headers }),
    )
    return [response?.status, await response?.text()]
  }
  return { log, get }
}

test('a missing image is logged once, with the path of the file, which the client does not see', async () => {
  const { log, get } = start()
  expect(await get('/media/cats/tom.jpg')).toEqual([404, '{"error":"Image not found"}'])
  expect(log.mock.calls).toEqual([
    [
      'Image not found',
      {
        status: 404,
        source: '/media/cats/tom.jpg',
        failure: expect.stringContaining(join(folder, 'cats', 'tom.jpg')),
      },
    ],
  ])
})

test('each broken image is logged once, with its source and without the URLs that clients make up', async () => {
  const { log, get } = start()
  for (const name of ['broken', 'broken', 'torn']) {
    expect(await get(`/media/${name}.jpg`)).toEqual([422, '{"error":"Image could not be processed"}'])
  }
  expect(log.mock.calls.map(([message, { source }]) => [message, source])).toEqual([
    ['Image could not be processed', '/media/broken.jpg'],
    ['Image could not be processed', '/media/torn.jpg'],
  ])
  expect(JSON.stringify(log.mock.calls)).not.toContain('images.invalid')
})

test('any number of names of missing files are logged as one line', async () => {
  const { log, get } = start()
  for (let number = 0; number < 150; number++) await get(`/media/${number}.jpg`)
  expect(log).toHaveBeenCalledOnce()
})

test('versions of another folder are refused', () => {
  const service = sharpService({ isolation: 'none' })
  expect(() =>
    createImages({ sources: { '/media/': folder }, service, version: fileVersions({ '/medai/': folder }) }),
  ).toThrow("version: expected versions of sources under /media/, got '/medai/'")
})
