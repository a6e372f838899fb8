import { expect, test } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import type { ImageServiceOptions } from './options.js'
import { createImageService } from './service.js'
import { signingKey } from './testing/service.js'

const folder = await folderWith({ 'file.txt': 'x' })
const right: ImageServiceOptions = { keys: [signingKey], sources: { '/media/': folder } }

test.each<[string, Partial<ImageServiceOptions>, RegExp]>([
  ['no key', { keys: [] }, /^keys: at least one/],
  ['a key that is no hex', { keys: [{ key: 'secret', salt: '00' }] }, /^key: expected hex/],
  ['no source', { sources: {} }, /^sources: list the prefixes/],
  ['a prefix that is no prefix', { sources: { media: folder } }, /^sources: 'media' can match nothing/],
  ['another protocol', { sources: { 'ftp://example.com/': true } }, /neither a path such as '\/media\/' nor an http/],
  ['local:// in the prefix', { sources: { 'local:///media/': folder } }, /neither a path/],
  ['a path without a folder', { sources: { '/media/': true } }, /is a path, so it needs its folder/],
  ['an empty folder name', { sources: { '/media/': '' } }, /is a path, so it needs its folder/],
  ['a URL with a folder', { sources: { 'https://example.com/': folder } }, /is a URL, so it needs true/],
  [
    'a folder that is missing',
    { sources: { '/media/': './no/such' } },
    /'.\/no\/such' for '\/media\/' is no folder; looked/,
  ],
  ['a file for a folder', { sources: { '/media/': `${folder}/file.txt` } }, /is no folder/],
  ['no network', { allowNetworks: ['intranet'] }, /^allowNetworks: 'intranet' is no network/],
  ['no pixels', { maxPixels: 0 }, /^maxPixels: 0 is no use; write a whole number from 1 on/],
  ['half a second', { sourceTimeout: 0.5 }, /^sourceTimeout: 0.5 is no use/],
  ['a folder for a store', { cache: { directory: '.cache' } as never }, /^cache: no store; write diskStore/],
  ['no concurrency', { concurrency: Number.NaN }, /^concurrency: NaN/],
  ['quality beyond', { quality: { avif: 101 } }, /^quality.avif: 101 is no whole number from 1 to 100/],
])('%s is a TypeError that names the option', (_, wrong, message) => {
  const create = () => createImageService({ ...right, ...wrong })
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})

test('what is left undefined has its default', () => {
  expect(() =>
    createImageService({ ...right, concurrency: undefined, maxAge: undefined, cache: undefined }),
  ).not.toThrow()
})
