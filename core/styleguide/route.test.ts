import { describe, expect, it, vi } from 'vitest'
import { createStyleguideRoute, type StyleguideRouteOptions } from './route.js'

const tree = { title: 'Styleguide', content: 'root', pages: [{ title: 'Über uns', content: 'about' }] }

const ask = (path: string, options: Partial<StyleguideRouteOptions<string>> = {}, method = 'GET') =>
  createStyleguideRoute<string>({
    tree,
    enabled: true,
    render: ({ match, slug }) =>
      new Response(match?.page.content ?? 'shell', { headers: { 'Content-Type': 'text/html', 'X-Slug': slug } }),
    ...options,
  })(new Request(`http://site.test${path}`, { method }))

const answer = async (...args: Parameters<typeof ask>) => {
  const response = await ask(...args)
  return response && [response.status, await response.text()]
}

describe('the styleguide’s route', () => {
  it.each<[string, string, unknown, Partial<StyleguideRouteOptions<string>>?, string?]>([
    ['the root', '/styleguide', [200, 'root']],
    ['the root with a slash', '/styleguide/', [200, 'root']],
    ['a query', '/styleguide?a=/b', [200, 'root']],
    ['a page', '/styleguide/%C3%BCber-uns', [200, 'about']],
    ['a page with a slash', '/styleguide/%C3%BCber-uns/', [200, 'about']],
    ['no page: the shell', '/styleguide/nothing', [404, 'shell']],
    ['a malformed escape', '/styleguide/%zz', [404, 'shell']],
    ['an encoded slash', '/styleguide/a%2Fb', [404, 'shell']],
    ['10,000 parts', `/styleguide${'/a'.repeat(10_000)}`, [404, 'shell']],
    ['HEAD', '/styleguide', [200, ''], {}, 'HEAD'],
    ['HEAD of no page', '/styleguide/nothing', [404, ''], {}, 'HEAD'],
    ['POST', '/styleguide', [405, '{"error":"Method not allowed"}'], {}, 'POST'],
    ['off', '/styleguide', [404, 'Not found'], { enabled: false }],
    ['off: a page', '/styleguide/%C3%BCber-uns', [404, 'Not found'], { enabled: false }],
    ['off: POST', '/styleguide', [404, 'Not found'], { enabled: false }, 'POST'],
    ['off: the site’s own page', '/styleguide', [410, 'own'], ownNotFound()],
    ['a text is not true', '/styleguide', [404, 'Not found'], { enabled: 'false' as unknown as boolean }],
    ['another route', '/', undefined],
    ['another route, off', '/styleguides', undefined, { enabled: false }],
    ['a longer name', '/styleguide-2', undefined],
    ['another letter case', '/Styleguide', undefined],
    ['deeper', '/en/styleguide', undefined],
    ['another prefix', '/docs/design/%C3%BCber-uns', [200, 'about'], { prefix: 'docs/design' }],
    ['an answer of the renderer’s own', '/styleguide/nothing', [500, 'x'], failing()],
  ])('%s', async (_, path, expected, options, method) => {
    expect(await answer(path, options, method)).toEqual(expected)
  })

  function ownNotFound(): Partial<StyleguideRouteOptions<string>> {
    return { enabled: false, notFound: () => new Response('own', { status: 410 }) }
  }
  function failing(): Partial<StyleguideRouteOptions<string>> {
    return { render: () => new Response('x', { status: 500 }) }
  }

  it('is never indexed, and keeps the renderer’s headers', async () => {
    for (const path of ['/styleguide/%C3%BCber-uns/', '/styleguide/nothing/']) {
      const response = await ask(path)
      expect(response?.headers.get('X-Robots-Tag')).toBe('noindex')
      expect(response?.headers.get('Content-Type')).toBe('text/html')
      expect(response?.headers.get('X-Slug')).toBe(path.slice('/styleguide/'.length))
    }
  })

  it('names the allowed methods', async () => {
    expect((await ask('/styleguide', {}, 'DELETE'))?.headers.get('Allow')).toBe('GET, HEAD')
  })

  it('cancels the body that a HEAD does not want', async () => {
    const cancel = vi.fn()
    await ask('/styleguide', { render: () => new Response(new ReadableStream({ cancel })) }, 'HEAD')
    expect(cancel).toHaveBeenCalled()
  })

  it.each(['', '/', 'a/../b', 'a b', '//a'])('the prefix %j is a mistake', (prefix) => {
    expect(() => createStyleguideRoute({ tree, enabled: true, prefix, render: () => new Response() })).toThrow(
      /^prefix: /,
    )
  })
})
