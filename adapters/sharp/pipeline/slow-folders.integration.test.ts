import { expect, test } from 'vitest'
import { folderWith } from '../../disk/testing/folder.js'
import { resolveOptions } from '../options.js'
import type { Original } from '../sources/original-source.js'
import { photograph } from '../testing/originals.js'
import { signingKey } from '../testing/service.js'
import { createPipeline } from './pipeline.js'

const options = {
  resize: 'fit' as const,
  width: 100,
  height: 0,
  gravity: 'centre' as const,
  quality: 0,
  format: 'webp' as const,
}

/** Renders files of folders that take as long as the test says. */
const start = async () => {
  const loaded: string[] = []
  const { render } = createPipeline(
    resolveOptions({
      keys: [signingKey],
      sources: { '/media/': await folderWith({}) },
      isolation: 'none',
      concurrency: 1,
      onEvent: (event) => event.type === 'load' && loaded.push(event.source),
    }),
  )
  const renderFrom = (
    group: string,
    source: string,
    read: () => Promise<Original>,
    signal = new AbortController().signal,
  ) => {
    const original = { origin: undefined, group, tag: undefined, digestTtl: 0, version: () => source, read }
    const job = { source, original, version: source, purgeable: undefined, options, accepted: [] }
    return render(
      job,
      signal,
      () => {},
      () => false,
    )
  }
  return { loaded, renderFrom }
}
const hang = () => new Promise<Original>(() => {})
const read = async () => ({ bytes: new Uint8Array(photograph), version: 'read' })

test('files of a folder that hangs leave places to those of another, and are not taken for slow to render', async () => {
  const { renderFrom } = await start()
  const client = new AbortController()
  const hanging = Array.from({ length: 10 }, (_, file) => renderFrom('/hangs', `${file}`, hang, client.signal))
  for (const each of hanging) each.catch(() => {})
  for (let file = 0; file < 5; file++) expect(await renderFrom('/media', `m${file}`, read)).toHaveProperty('body')
  client.abort(new Error('gone'))
  for (const each of hanging) await expect(each).rejects.toThrow('gone')
  expect(await renderFrom('/hangs', '0', read)).toHaveProperty('body')
})

test('when many folders hang, another one gets the place of a read that has lasted long, which is a 503', async () => {
  const { renderFrom } = await start()
  const failures: unknown[] = []
  for (const folder of ['/a', '/b']) {
    for (let file = 0; file < 3; file++) {
      renderFrom(folder, folder + file, hang).catch((error) => failures.push(error))
    }
  }
  expect(await renderFrom('/media', 'm', read)).toHaveProperty('body')
  expect(failures).toEqual([expect.objectContaining({ status: 503 })])
})
