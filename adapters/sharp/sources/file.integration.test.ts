import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createImageLoader } from '../../../core/image/index.js'
import { folderWith } from '../../disk/testing/folder.js'
import { photograph } from '../testing/originals.js'
import { startService, urlOf } from '../testing/service.js'
import { createFileSource } from './file.js'

const signal = new AbortController().signal
let outside: string
let media: string
let service: ReturnType<typeof startService>

beforeAll(async () => {
  outside = await folderWith({ 'secret.jpg': photograph, 'media/photo.jpg': photograph })
  media = join(outside, 'media')
  await writeFile(join(media, 'a b+c.jpg'), photograph)
  await writeFile(join(media, '100%.jpg'), photograph)
  await writeFile(join(media, 'größe.jpg'), photograph)
  await mkdir(join(media, 'folder.jpg'))
  await mkdir(join(outside, 'media-private'))
  await writeFile(join(outside, 'media-private', 'photo.jpg'), photograph)
  await symlink(join(outside, 'secret.jpg'), join(media, 'leaves.jpg'))
  await symlink(outside, join(media, 'way-out'))
  await symlink('photo.jpg', join(media, 'stays.jpg'))
  await symlink('loop.jpg', join(media, 'loop.jpg'))
  await symlink('missing.jpg', join(media, 'dangling.jpg'))
  await symlink(media, join(outside, 'current'))
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(media, 'pipe.jpg')])
  service = startService({ sources: { '/media/': media, '/current/': join(outside, 'current') } })
})

describe('a file in the folder is found', () => {
  test.each([
    '/media/photo.jpg',
    '/media/a%20b+c.jpg',
    '/media/a b+c.jpg',
    '/media/100%25.jpg',
    '/media/größe.jpg',
    '/media/gr%C3%B6%C3%9Fe.jpg',
    '/media/stays.jpg',
    // the folder itself may be a symlink, as in deployments
    '/current/photo.jpg',
  ])('%s', async (source) => {
    const path = createImageLoader({ sources: ['/media/', '/current/'] })({ src: source, width: 64 })
    expect((await service.get(`http://site.test${path}`)).status).toBe(200)
  })
})

describe('a source that is missing or leaves the folder gets an error, without a reason', () => {
  test.each([
    '/media/missing.jpg',
    '/media/',
    '/media',
    '/media/folder.jpg',
    '/media/folder.jpg/',
    '/media/photo.jpg/x',
    '/media/pipe.jpg',
    '/media/leaves.jpg',
    '/media/way-out/secret.jpg',
    '/media/way-out/media/photo.jpg/../../secret.jpg',
    '/media/loop.jpg',
    '/media/dangling.jpg',
    '/media/../secret.jpg',
    '/media/%2e%2e/secret.jpg',
    '/media/%252e%252e/secret.jpg',
    '/media/..%2fsecret.jpg',
    '/media/..%5csecret.jpg',
    '/media/..\\secret.jpg',
    '/media-private/photo.jpg',
    '/media/%',
    '/other/photo.jpg',
    'photo.jpg',
    '//media/photo.jpg',
    'file:///media/photo.jpg',
    'local://host/media/photo.jpg',
    'http://localhost/media/photo.jpg',
    `/media/${'x'.repeat(300)}.jpg`,
  ])('%s', async (source) => {
    const response = await service.get(urlOf(source))
    const errors = ['Image not found', 'Source not allowed', 'Invalid source'].map((error) => ({ error }))
    expect(errors).toContainEqual(await response.json())
    expect(response.status).toBeLessThan(500)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('a symlink that leaves the folder is logged', async () => {
    const service = startService({ sources: { '/media/': media } })
    await service.get(urlOf('/media/leaves.jpg'))
    expect(service.lastFailure()).toMatch(/leaves\.jpg leads to .*secret\.jpg/)
  })

  test.each(['../secret.jpg', '..%2fsecret.jpg', 'way-out/../../secret.jpg', '%2e%2e/secret.jpg'])(
    'the service itself does not leave the folder for %s, if the proxy let it through',
    async (path) => {
      const image = { source: `/media/${path}`, width: 9, ratio: undefined, focus: undefined, version: undefined }
      const client = { formats: [], etags: [], modifiedSince: null, needsBody: () => true }
      const result = service.service.getImage(image, { ...client, signal: () => undefined, onBodyError() {} })
      expect(await result).toMatchObject({
        status: 404,
        details: { failure: expect.stringMatching('^Unknown source') },
      })
    },
  )
})

test('hundreds of checks at once cause no warning about listeners', async () => {
  const warnings: unknown[] = []
  const onWarning = (warning: unknown) => warnings.push(warning)
  process.on('warning', onWarning)
  const sourceOf = createFileSource(media, 1e9)
  await Promise.all(Array.from({ length: 200 }, () => sourceOf('photo.jpg').version()))
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
})

describe('reading', () => {
  const at = (folder: string, maxBytes = 1_000_000) => createFileSource(folder, maxBytes)('original')

  test('a file above maxBytes is 422, one of maxBytes is read', async () => {
    const bytes = Buffer.alloc(100, 'GIF89a')
    const folder = await folderWith({ original: bytes })
    await expect(at(folder, 99).read(signal)).rejects.toMatchObject({ status: 422 })
    expect((await at(folder, 100).read(signal)).bytes).toEqual(bytes)
  })

  test('the version is that of the content read, and changes with it', async () => {
    const folder = await folderWith({ original: 'GIF89a one' })
    const original = at(folder)
    const versions = [await original.version()]
    expect((await original.read(signal)).version).toBe(versions[0])
    await appendFile(join(folder, 'original'), ' two')
    versions.push(await original.version())
    await truncate(join(folder, 'original'), 10)
    versions.push(await original.version())
    // Same content, same size, and the time reset, as copying tools do.
    const then = new Date(0)
    await utimes(join(folder, 'original'), then, then)
    versions.push(await original.version())
    await writeFile(join(folder, 'original'), 'GIF89a six')
    await utimes(join(folder, 'original'), then, then)
    versions.push(await original.version())
    expect(new Set(versions).size).toBe(versions.length)
  })
})

test('a client that has left does not wait for a file, for example on a file system that hangs', async () => {
  const client = new AbortController()
  client.abort(new Error('gone'))
  const locate = createFileSource(await folderWith({ 'a.jpg': photograph }), 1e9)
  await expect(locate('a.jpg').version(() => client.signal)).rejects.toThrow('gone')
  expect(await locate('a.jpg').version()).toContain('a.jpg')
})
