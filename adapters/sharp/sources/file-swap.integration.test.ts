import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { memoryStore, type Store } from '../../../core/cache/index.js'
import { withScript } from '../../disk/testing/bundle.js'
import { folderWith } from '../../disk/testing/folder.js'
import { bytesOf, startService, urlOf } from '../testing/service.js'

const imageOf = (background: string) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer()

const isOutside = async (image: Uint8Array) => {
  const [red, , blue] = (await sharp(image).stats()).channels
  return (red?.mean ?? 0) > (blue?.mean ?? 0)
}

/** Records every image that is stored. */
function recordingStore() {
  const bodies: Uint8Array[] = []
  const store = memoryStore({ maxBytes: 1e7 })
  const set: Store['set'] = (key, entry, ...options) => {
    if (entry.kind === 'value' && entry.body.length > 0) bodies.push(entry.body)
    return store.set(key, entry, ...options)
  }
  return { bodies, store: { ...store, set } }
}

const requests = 160

test('files and folders that are swapped for symlinks while they are read never show a file outside', {
  timeout: 120_000,
}, async () => {
  const folder = await folderWith({
    'media/photo.jpg': await imageOf('#0000ff'),
    'media/folder/photo.jpg': '',
    'outside/photo.jpg': await imageOf('#ff0000'),
  })
  await withScript(new URL('../testing/swap.ts', import.meta.url), async (script) => {
    const swapping = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(swapping.stdout, 'data')
    const { bodies, store } = recordingStore()
    const service = startService({ sources: { '/media/': join(folder, 'media') }, cache: store })
    const statuses: Record<number, number> = {}
    let leaks = 0
    for (let request = 0; request < requests; request += 4) {
      const widths = [1 + (request % 60), 1 + ((request * 7) % 60)]
      const urls = widths.flatMap((width) =>
        ['/media/photo.jpg', '/media/folder/photo.jpg'].map((source) => urlOf(source, width)),
      )
      for (const response of await Promise.all(urls.map((url) => service.get(url)))) {
        statuses[response.status] = (statuses[response.status] ?? 0) + 1
        if (response.status === 200 && (await isOutside(await bytesOf(response)))) leaks++
      }
    }
    swapping.kill()
    await once(swapping, 'exit')
    const stored = await Promise.all(bodies.map(isOutside))
    expect({ leaks, stored: stored.filter(Boolean).length }).toEqual({ leaks: 0, stored: 0 })
    // Some requests were refused, some were served, and none failed.
    expect(statuses[200]).toBeGreaterThan(0)
    expect(Object.keys(statuses).filter((status) => status !== '200' && status !== '404')).toEqual([])
  })
})
