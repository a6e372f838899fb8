import { expect, test } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { animatedGif } from './testing/gif.js'
import { avif, renderInProcesses, startService, urlOf } from './testing/service.js'

// The table of service.integration.test.ts again, with transforms in processes of their own.
await renderInProcesses()
await import('./service.integration.test.js')

test('a request gets 504 if the transform takes longer than allowed', async () => {
  // The process is killed. In the site's own process, sharp's time limit is only checked now and then.
  const size = { width: 800, height: 800 }
  const frames = [
    { ...size, isNoise: true },
    { ...size, isNoise: true },
  ]
  const noise = animatedGif(size, Array(15).fill(frames).flat())
  const own = await folderWith({ 'noise.gif': noise })
  const service = startService({ sources: { '/media/': own }, transformTimeout: 200, waitTimeout: 80_000 })
  const { status } = await service.get(urlOf('/media/noise.gif', 640), avif)
  expect([status, service.lastFailure()]).toEqual([504, expect.stringMatching(/^Rendering the image took too long/)])
})
