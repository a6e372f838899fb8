import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { startOrigin } from './testing/origin.js'
import { pdf, photograph, svg } from './testing/originals.js'
import { startService, urlOf } from './testing/service.js'

const size = 48_000_000

/** A folder with one file that begins as given and has so many bytes; the rest is a hole. */
const folderWithLarge = async (begin: Uint8Array) => {
  const folder = await folderWith({ 'large.jpg': begin })
  await truncate(join(folder, 'large.jpg'), size)
  return folder
}

/** Counts how often the event loop goes round. */
const countTurns = () => {
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  onTestFinished(() => clearImmediate(next))
  return () => turns
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

test('a large original is read and hashed without holding up the event loop', async () => {
  const folder = await folderWithLarge(photograph)
  const { origin, stop } = await startOrigin((_, res) => void res.end(Buffer.concat([photograph], size)))
  onTestFinished(() => void stop())
  for (const source of ['/media/large.jpg', `${origin}/large.jpg`]) {
    const sources = { '/media/': folder, [`${origin}/`]: true as const }
    const etag = (await startService({ sources, allowNetworks: ['127.0.0.0/8'] }).get(urlOf(source))).headers.get(
      'etag',
    )
    const turns = countTurns()
    let turnsAtLoad = Number.NaN
    const cold = startService({
      sources,
      allowNetworks: ['127.0.0.0/8'],
      onEvent: ({ type }) => {
        if (type === 'load') turnsAtLoad = turns()
      },
    })
    const response = await cold.get(urlOf(source), { 'if-none-match': etag ?? '' })
    expect(response.status).toBe(304)
    expect(turns() - turnsAtLoad).toBeGreaterThan(2)
  }
})
