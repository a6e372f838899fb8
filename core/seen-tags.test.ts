import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const tagged = (tags: string) => new Response('', { headers: { 'Cache-Tag': tags } })

/** A process that has answered nothing yet. */
async function start() {
  vi.resetModules()
  const { createResponseCache, memoryStore } = await import('./cache/index.js')
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })
  const answer = async (tags: string) => {
    const handler = cache.wrap(async () => tagged(tags))
    await (await handler(new Request('http://site.test/'))).text()
  }
  return { invalidate: cache.invalidate, answer }
}

const warn = vi.spyOn(console, 'warn')
const invalidations = () => warn.mock.calls.filter(([text]) => String(text).startsWith('invalidate'))
beforeEach(() => {
  warn.mockReset().mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a purge of a tag that no response has had', () => {
  it('is warned of once, with the tags there are', async () => {
    const { invalidate, answer } = await start()
    await answer('menu')
    for (let index = 0; index < 1000; index++) await invalidate(['documents'])
    expect(invalidations()).toEqual([
      ["invalidate: expected a tag of a response, got 'documents'; so far responses have had menu, document"],
    ])
  })

  it('has at most 20 warnings, whatever is purged', async () => {
    const { invalidate, answer } = await start()
    await answer('menu')
    for (let index = 0; index < 1000; index++) await invalidate([`tag-${index}`])
    expect(invalidations()).toHaveLength(20)
  })

  it.each([
    ['before the first response', async () => {}, ['documents']],
    ['of the default tag', async (answer: (tags: string) => Promise<void>) => answer(''), ['document']],
    [
      'that it has percent-encoded',
      async (answer: (tags: string) => Promise<void>) => answer('gr%C3%B6%C3%9Fe'),
      ['größe'],
    ],
    [
      'together with one that there is',
      async (answer: (tags: string) => Promise<void>) => answer('menu'),
      ['menu', 'x'],
    ],
  ])('is not %s', async (_, prepare, tags) => {
    const { invalidate, answer } = await start()
    await prepare(answer)
    await invalidate(tags)
    expect(invalidations()).toEqual([])
  })

  it('is not in production', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const { invalidate, answer } = await start()
    await answer('menu')
    await invalidate(['documents'])
    expect(warn).not.toHaveBeenCalled()
  })
})
