import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { pdf, svg } from './testing/originals.js'
import { startService, urlOf } from './testing/service.js'

const size = 48_000_000

/** Creates a folder with one large file. The rest of the file after `begin` is a hole. */
const folderWithLarge = async (begin: Uint8Array) => {
  const folder = await folderWith({ 'large.jpg': begin })
  await truncate(join(folder, 'large.jpg'), size)
  return folder
}

test.each([
  ['PDF', pdf],
  ['SVG', svg],
  ['of an unknown type', Buffer.from('x')],
])('only the beginning of a large file is read if it is %s', async (_, begin) => {
  const service = startService({ sources: { '/media/': await folderWithLarge(begin) } })
  expect((await service.get(urlOf('/media/large.jpg'))).status).toBe(422)
  expect(service.count('load')).toBe(0)
})
