import { afterEach, beforeEach, expect, it, vi } from 'vitest'

// The code of the guide, with stand-ins of two CMSs.

const asked: string[] = []
beforeEach(() => {
  vi.stubEnv('PREVIEW_SECRET', 's'.repeat(32))
  vi.stubEnv('STORYBLOK_PREVIEW_TOKEN', 'preview-token')
  vi.stubEnv('CONTENTFUL_URL_SECRET', 'of Contentful')
  vi.stubEnv('CONTENTFUL_PREVIEW_TOKEN', 'cpa-token')
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const { url, headers } = new Request(input, init)
    asked.push(`${url} ${headers.get('authorization')}`)
    return new Response(url.includes('version=draft') ? 'draft' : 'published')
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

it('an editor sees the draft and its bar, and everyone else the stored page', async () => {
  const { app, preview } = await import('../../docs/snippets/preview.js')
  const opened = await app.request('/api/preview?secret=of+Contentful&path=/boats')
  expect([opened.status, opened.headers.get('location')]).toEqual([303, '/boats'])
  const [cookie = ''] = opened.headers.getSetCookie()[0]?.split(';') ?? []
  const read = async (Cookie?: string) => {
    const response = await app.request('/boats', { headers: Cookie ? { Cookie } : {} })
    return [await response.text(), response.headers.get('cache-control'), response.headers.get('cache-status')]
  }
  expect(await read(cookie)).toEqual([
    expect.stringMatching(/^<main>draft<\/main><link rel="stylesheet".*Exit preview/s),
    'private, no-store',
    expect.stringContaining('fwd=bypass'),
  ])
  expect(asked).toEqual(['https://api.storyblok.com/v2/cdn/stories/boats?version=draft&token=preview-token null'])
  expect((await read())[0]).toBe('<main>published</main>')
  expect((await read('sitewright-preview=made-up'))[2]).toContain('hit')
  await preview.fetch({ headers: new Headers({ Cookie: cookie }) })('https://cdn.contentful.com/spaces/a/entries')
  expect(asked.at(-1)).toBe('https://preview.contentful.com/spaces/a/entries Bearer cpa-token')
})
