import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStyleguideRoute } from './index.js'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => void warn.mockReset().mockReturnValue(undefined))
afterEach(() => {
  vi.unstubAllEnvs()
})

const page = '<div class="sw-styleguide">Styleguide</div>'
const warning =
  'Styleguide: expected a stylesheet in its pages, got none; write <link rel="stylesheet" href="/styleguide.css">, and serve sitewright/styleguide.css there'

/** Requests a page with this `head` from a new styleguide, as often as `times` says. */
async function requestPage(head: string, { times = 1, body = page, path = '/styleguide' } = {}) {
  const route = createStyleguideRoute({
    tree: { title: 'Styleguide' },
    enabled: true,
    render: () => new Response(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`),
  })
  for (let time = 0; time < times; time++) {
    const response = await route(new Request(`https://site.test${path}`))
    expect(await response?.text()).toContain(body)
    await Promise.resolve()
  }
  await new Promise((resolve) => setTimeout(resolve))
}

describe('a styleguide without its stylesheet', () => {
  it('1,000 pages without a stylesheet cause a single warning', async () => {
    await requestPage('', { times: 1_000 })
    expect(warn.mock.calls).toEqual([[warning]])
  })

  it.each([
    ['another link', '<link rel="icon" href="/icon.svg">'],
    ['a preload', '<link rel="preload" as="font" href="/font.woff2">'],
  ])('a page with %s but without a stylesheet causes a warning', async (_, head) => {
    await requestPage(head)
    expect(warn.mock.calls).toEqual([[warning]])
  })

  it.each([
    ['a stylesheet', '<link rel="stylesheet" href="/styleguide.css">'],
    ['a style element', '<style>.sw-styleguide { color: red }</style>'],
    [
      'a script, with which Vite brings stylesheets in development',
      '<script type="module" src="/src/client.ts"></script>',
    ],
  ])('a page with %s causes no warning', async (_, head) => {
    await requestPage(head)
    expect(warn).not.toHaveBeenCalled()
  })

  it('a page without the styleguide’s markup causes no warning, and no page does in production', async () => {
    await requestPage('', { body: '<main>The content alone</main>' })
    vi.stubEnv('NODE_ENV', 'production')
    await requestPage('')
    expect(warn).not.toHaveBeenCalled()
  })
})
