import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { photograph } from './testing/originals.js'
import { avif, renderInProcesses, startService, urlOf } from './testing/service.js'
import { manyScansJpeg } from './testing/slow-jpeg.js'

let folder: string
beforeAll(async () => {
  await renderInProcesses()
  const flat = sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#777' } })
  folder = await folderWith({
    'photo.jpg': photograph,
    'slow.jpg': manyScansJpeg(7000, 7000),
    'slow-small.jpg': manyScansJpeg(2600, 2600),
    'flat.avif': await flat.avif({ effort: 0 }).toBuffer(),
  })
})
const start = (options: Partial<Parameters<typeof startService>[0]> = {}) =>
  startService({ sources: { '/media/': folder }, ...options })
const small = (index: number) => urlOf('/media/photo.jpg', `w:${100 + index}`)

describe('a picture that takes too long to decode', () => {
  test.each(['slow.jpg', 'slow-small.jpg'])('%s is 504, and small images are served meanwhile', async (name) => {
    const service = start({ transformTimeout: 1000 })
    await service.get(small(-1), avif)
    const began = performance.now()
    let ended = false
    const slow = service.get(urlOf(`/media/${name}`), avif).then((response) => {
      ended = true
      return response
    })
    let served = 0
    for (let index = 0; !ended || index < 3; index++) {
      const response = await service.get(small(index), avif)
      expect(response.status).toBe(200)
      if (!ended) served++
      await wait(20)
    }
    const response = await slow
    console.log(name, response.status, Math.round(performance.now() - began), 'ms, small ones meanwhile:', served)
    expect(await response.json()).toEqual({ error: 'Rendering the image took too long' })
    expect([response.status, served > 0]).toEqual([504, true])
  })
})

test('six requests for a tiny file of 49 megapixels: small images are served meanwhile', async () => {
  const service = start({ concurrency: 2 })
  const began = performance.now()
  let waiting = 6
  const heavy = Array.from({ length: 6 }, (_, index) =>
    service.get(urlOf('/media/flat.avif', `w:${index + 1}`), avif).finally(() => waiting--),
  )
  const times: number[] = []
  for (let index = 0; index < 20; index++) {
    const sent = performance.now()
    expect((await service.get(small(index), avif)).status).toBe(200)
    times.push(Math.round(performance.now() - sent))
  }
  const left = waiting
  const statuses = (await Promise.all(heavy)).map(({ status }) => status)
  console.log(
    'small',
    times.join(' '),
    'heavy left',
    left,
    statuses.join(),
    Math.round(performance.now() - began),
    'ms',
  )
  expect(left).toBeGreaterThan(0)
})
