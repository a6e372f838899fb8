import { afterEach, expect, it, vi } from 'vitest'
import { createImageLoader } from '../../../core/image/index.js'
import { nextImageLoader } from './index.js'

const loader = createImageLoader({ sources: ['/media/'] })
const image = { src: '/media/cat.jpg', width: 640 }

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it.each(['production', 'development'])('in %s the URL of an image is the same with and without quality', (mode) => {
  vi.stubEnv('NODE_ENV', mode)
  vi.spyOn(console, 'warn').mockReturnValue()
  const load = nextImageLoader(loader)
  for (const quality of [undefined, 75, 50, 100]) expect(load({ ...image, quality })).toBe(loader(image))
})

it('in development there is no warning about the width with which next/image only tests the loader', () => {
  vi.stubEnv('NODE_ENV', 'development')
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const versionedLoader = createImageLoader({ sources: ['/media/'], version: () => 'a1' })
  expect(nextImageLoader(versionedLoader)({ src: '/media/cat.jpg', width: 960 })).toBe(
    '/_image/L21lZGlhL2NhdC5qcGc?width=960&v=a1',
  )
  expect(nextImageLoader(versionedLoader)({ src: '/logo.svg', width: 400 })).toBe('/logo.svg')
  expect(warn.mock.calls.join()).not.toContain('width')
})

it.each([
  ['development', [undefined, 75], 0],
  ['development', [50, 60], 1],
  ['production', [50], 0],
])('in %s, the qualities %j cause %d warnings', (mode, qualities, times) => {
  vi.stubEnv('NODE_ENV', mode)
  vi.stubEnv('SITEWRIGHT_WARNED_QUALITY', '')
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const load = nextImageLoader(loader)
  for (const quality of qualities) load({ ...image, quality })
  expect(warn.mock.calls.filter(([message]) => /quality is ignored/.test(message))).toHaveLength(times)
})
