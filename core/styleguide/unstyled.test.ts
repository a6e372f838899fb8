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

/** Asks a styleguide whose pages have a head for a page, some times over. */
async function ask(head: string, { times = 1, body = page, path = '/styleguide' } = {}) {
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
  it('warns once of 1,000 requests', async () => {
    await ask('', { times: 1_000 })
    expect(warn.mock.calls).toEqual([[warning]])
  })

  it.each([
    ['another link', '<link rel="icon" href="/icon.svg">'],
    ['a preload', '<link rel="preload" as="font" href="/font.woff2">'],
  ])('warns for all that there is %s', async (_, head) => {
    await ask(head)
    expect(warn.mock.calls).toEqual([[warning]])
  })

  it.each([
    ['a stylesheet', '<link rel="stylesheet" href="/styleguide.css">'],
    ['a style element', '<style>.sw-styleguide { color: red }</style>'],
    [
      'a script, with which Vite brings stylesheets in development',
      '<script type="module" src="/src/client.ts"></script>',
    ],
  ])('is not assumed where there is %s', async (_, head) => {
    await ask(head)
    expect(warn).not.toHaveBeenCalled()
  })

  it('is no mistake of a bare page, nor told in production', async () => {
    await ask('', { body: '<main>The content alone</main>' })
    vi.stubEnv('NODE_ENV', 'production')
    await ask('')
    expect(warn).not.toHaveBeenCalled()
  })
})
