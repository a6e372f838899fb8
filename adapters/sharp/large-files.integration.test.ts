import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { pdf, svg } from './testing/originals.js'
import { startService, urlOf } from './testing/service.js'

const size = 48_000_000

/** A folder with one file that begins as given and has so many bytes; the rest is a hole. */
const folderWithLarge = async (begin: Uint8Array) => {
  const folder = await folderWith({ 'large.jpg': begin })
  await truncate(join(folder, 'large.jpg'), size)
  return folder
}

test.each([
  ['PDF', pdf],
  ['SVG', svg],
  ['of an unknown type', Buffer.from('x')],
])('of a large file that is %s no more than the beginning is read', async (_, begin) => {
  const service = startService({ sources: { '/media/': await folderWithLarge(begin) } })
  expect((await service.get(urlOf('/media/large.jpg'))).status).toBe(422)
  expect(service.count('load')).toBe(0)
})
