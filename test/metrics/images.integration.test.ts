import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { sharpService } from '../../adapters/sharp/index.js'
import { createImages } from '../../core/image/index.js'
import { createMetrics } from '../../core/metrics/index.js'

it('answers of images are counted by status, and what sharpService makes by stage', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sitewright-metrics-'))
  const create = { width: 900, height: 600, channels: 3, background: 'red' } as const
  await writeFile(join(folder, 'red.png'), await sharp({ create }).png().toBuffer())
  const service = sharpService({ isolation: 'none' })
  const images = createImages({ sources: { '/media/': folder }, service, log: () => {} })
  const metrics = createMetrics({ secret: false })
  const get = async (src: string, headers = {}) => {
    const url = new URL(images.loader({ src, width: 640 }), 'https://site.test')
    const response = await images.handler(new Request(url, { headers }))
    await response?.arrayBuffer()
    return response
  }
  const etag = (await get('/media/red.png'))?.headers.get('etag') as string
  await get('/media/red.png')
  await get('/media/red.png', { 'If-None-Match': etag })
  await get('/media/missing.png')
  expect(await images.handler(new Request('https://site.test/page'))).toBeUndefined()

  const text = await (await metrics(new Request('https://site.test/metrics')))?.text()
  const lines = text?.split('\n').filter((line) => /image_(?:requests|spans)|span_duration_seconds_count/.test(line))
  expect(lines?.filter((line) => !line.startsWith('#')).sort()).toEqual([
    'sitewright_image_requests_total{status="200"} 2',
    'sitewright_image_requests_total{status="304"} 1',
    'sitewright_image_requests_total{status="404"} 1',
    'sitewright_image_span_duration_seconds_count{span="downloading",result="success"} 1',
    'sitewright_image_span_duration_seconds_count{span="processing",result="success"} 1',
    'sitewright_image_span_duration_seconds_count{span="queue",result="success"} 2',
    'sitewright_image_spans_in_progress{span="downloading"} 0',
    'sitewright_image_spans_in_progress{span="processing"} 0',
    'sitewright_image_spans_in_progress{span="queue"} 0',
  ])
})
