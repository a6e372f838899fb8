import { describe, expect, it, vi } from 'vitest'
import type { StyleguideIndex } from './index-json.js'
import { createStyleguideRoute, type StyleguideRouteOptions } from './route.js'

const tree = { title: 'Styleguide', content: 'root', pages: [{ title: 'Über uns', content: 'about' }] }

const request = (path: string, options: Partial<StyleguideRouteOptions<string>> = {}, method = 'GET') =>
  createStyleguideRoute<string>({
    tree,
    enabled: true,
    render: ({ match, slug }) =>
      new Response(match?.page.content ?? 'shell', { headers: { 'Content-Type': 'text/html', 'X-Slug': slug } }),
    ...options,
  })(new Request(`http://site.test${path}`, { method }))

const statusAndBody = async (...args: Parameters<typeof request>) => {
  const response = await request(...args)
  return response && [response.status, await response.text()]
}

describe('createStyleguideRoute', () => {
  it.each<[string, string, unknown, Partial<StyleguideRouteOptions<string>>?, string?]>([
    ['the root', '/styleguide', [200, 'root']],
    ['the root with a trailing slash', '/styleguide/', [200, 'root']],
    ['the root with a query', '/styleguide?a=/b', [200, 'root']],
    ['a page', '/styleguide/%C3%BCber-uns', [200, 'about']],
    ['a page with a trailing slash', '/styleguide/%C3%BCber-uns/', [200, 'about']],
    ['a missing page', '/styleguide/nothing', [404, 'shell']],
    ['a malformed escape', '/styleguide/%zz', [404, 'shell']],
    ['an encoded slash', '/styleguide/a%2Fb', [404, 'shell']],
    ['10,000 segments', `/styleguide${'/a'.repeat(10_000)}`, [404, 'shell']],
    ['HEAD of the root', '/styleguide', [200, ''], {}, 'HEAD'],
    ['HEAD of a missing page', '/styleguide/nothing', [404, ''], {}, 'HEAD'],
    ['POST', '/styleguide', [405, '{"error":"Method not allowed"}'], {}, 'POST'],
    ['the root while the styleguide is off', '/styleguide', [404, 'Not found'], { enabled: false }],
    ['a page while the styleguide is off', '/styleguide/%C3%BCber-uns', [404, 'Not found'], { enabled: false }],
    ['POST while the styleguide is off', '/styleguide', [404, 'Not found'], { enabled: false }, 'POST'],
    ['a custom not-found page while the styleguide is off', '/styleguide', [410, 'custom'], customNotFound()],
    ['another route', '/', undefined],
    ['another route while the styleguide is off', '/styleguides', undefined, { enabled: false }],
    ['a path that continues the prefix', '/styleguide-2', undefined],
    ['the prefix in another letter case', '/Styleguide', undefined],
    ['the prefix in a deeper path', '/en/styleguide', undefined],
    ['another prefix', '/docs/design/%C3%BCber-uns', [200, 'about'], { prefix: 'docs/design' }],
    ['a status set by the renderer', '/styleguide/nothing', [500, 'x'], failing()],
  ])('handles a request: %s', async (_, path, expected, options, method) => {
    expect(await statusAndBody(path, options, method)).toEqual(expected)
  })

  function customNotFound(): Partial<StyleguideRouteOptions<string>> {
    return { enabled: false, notFound: () => new Response('custom', { status: 410 }) }
  }
  function failing(): Partial<StyleguideRouteOptions<string>> {
    return { render: () => new Response('x', { status: 500 }) }
  }

  it('a tree may be a function, which is called at the first request, and again only after it failed', async () => {
    const readTree = vi.fn(async () => tree)
    readTree.mockRejectedValueOnce(new Error('no stylesheet'))
    const route = createStyleguideRoute<string>({
      tree: readTree,
      enabled: true,
      render: ({ tree, match }) => new Response(`${tree.title}: ${match?.page.content}`),
    })
    const read = async (path: string) => (await route(new Request(`http://site.test${path}`)))?.text()
    expect(await read('/')).toBeUndefined()
    expect(readTree).not.toHaveBeenCalled()
    await expect(read('/styleguide')).rejects.toThrow('no stylesheet')
    expect(await Promise.all([read('/styleguide'), read('/styleguide/%C3%BCber-uns')])).toEqual([
      'Styleguide: root',
      'Styleguide: about',
    ])
    expect(readTree).toHaveBeenCalledTimes(2)
  })

  it('index.json lists the pages, unless a page of the tree has that path or the styleguide is off', async () => {
    const response = await request('/docs/design/index.json', { prefix: 'docs/design' })
    expect(response?.status).toBe(200)
    expect(response?.headers.get('X-Robots-Tag')).toBe('noindex')
    expect(response?.headers.get('Content-Type')).toMatch('application/json')
    const { pages, components } = JSON.parse((await response?.text()) ?? '') as StyleguideIndex
    expect(components).toEqual([])
    expect(pages).toEqual([
      { title: 'Styleguide', href: '/docs/design' },
      { title: 'Über uns', href: '/docs/design/%C3%BCber-uns' },
    ])
    expect(await statusAndBody('/styleguide/index.json', {}, 'HEAD')).toEqual([200, ''])
    expect(await statusAndBody('/styleguide/index.json', { enabled: false })).toEqual([404, 'Not found'])
    const own = { title: 'Styleguide', pages: [{ title: 'Own', path: 'index.json', content: 'own' }] }
    expect(await statusAndBody('/styleguide/index.json', { tree: own })).toEqual([200, 'own'])
  })

  it('a page has X-Robots-Tag: noindex and the renderer’s headers', async () => {
    for (const path of ['/styleguide/%C3%BCber-uns/', '/styleguide/nothing/']) {
      const response = await request(path)
      expect(response?.headers.get('X-Robots-Tag')).toBe('noindex')
      expect(response?.headers.get('Content-Type')).toBe('text/html')
      expect(response?.headers.get('X-Slug')).toBe(path.slice('/styleguide/'.length))
    }
  })

  it('a 405 names the allowed methods', async () => {
    expect((await request('/styleguide', {}, 'DELETE'))?.headers.get('Allow')).toBe('GET, HEAD')
  })

  it('a HEAD request cancels the body of the rendered page', async () => {
    const cancel = vi.fn()
    await request('/styleguide', { render: () => new Response(new ReadableStream({ cancel })) }, 'HEAD')
    await vi.waitFor(() => expect(cancel).toHaveBeenCalled(), 20_000)
  })

  it('a page that fails to render is rendered again, with the error', async () => {
    const log = vi.fn()
    const broken: Partial<StyleguideRouteOptions<string>> = {
      log,
      render: ({ match, error }) => {
        if (match?.page.title === 'Über uns' && error === undefined) throw new Error('no such image')
        return new Response(error instanceof Error ? `shell with ${error.message}` : 'fine')
      },
    }
    const about = '/styleguide/%C3%BCber-uns'
    expect(await statusAndBody(about, broken)).toEqual([500, 'shell with no such image'])
    expect(await statusAndBody(about, broken, 'HEAD')).toEqual([500, ''])
    expect((await request(about, broken))?.headers.get('X-Robots-Tag')).toBe('noindex')
    expect(await statusAndBody('/styleguide', broken)).toEqual([200, 'fine'])
    expect(log).toHaveBeenCalledWith('styleguide: page failed to render', {
      slug: '%C3%BCber-uns',
      error: expect.objectContaining({ message: 'no such image' }),
    })
  })

  it('any thrown value leads to an error page with its own status, and an error of that page rejects', async () => {
    const log = vi.fn()
    const rejects = (thrown: unknown) => ({
      log,
      render: async ({ error }: { error?: unknown }) => {
        if (error === undefined) throw thrown
        return new Response(String(error), { status: thrown === 0 ? 503 : 200 })
      },
    })
    expect(await statusAndBody('/styleguide', rejects(undefined))).toEqual([500, 'Error: undefined was thrown'])
    expect(await statusAndBody('/styleguide', rejects(0))).toEqual([503, '0'])
    const alwaysRejects = () => Promise.reject(new Error('again'))
    await expect(request('/styleguide', { log, render: alwaysRejects })).rejects.toThrow('again')
  })

  it('an error is logged once a minute for each page, however often the page is requested', async () => {
    const log = vi.fn()
    const route = createStyleguideRoute({
      tree,
      enabled: true,
      log,
      render: ({ error }) => (error === undefined ? Promise.reject(new Error('broken')) : new Response('shell')),
    })
    for (const slug of ['', '%C3%BCber-uns']) {
      for (let visit = 0; visit < 50; visit++) await route(new Request(`http://site.test/styleguide/${slug}`))
    }
    expect(log.mock.calls.map(([, { slug }]) => slug)).toEqual(['', '%C3%BCber-uns'])
  })

  it('a page that fails is not rendered again for a client that has disconnected', async () => {
    const render = vi.fn(() => Promise.reject(new Error('aborted')))
    const route = createStyleguideRoute({ tree, enabled: true, render })
    const request = new Request('http://site.test/styleguide', { signal: AbortSignal.abort() })
    await expect(route(request)).rejects.toThrow('aborted')
    expect(render).toHaveBeenCalledOnce()
  })

  it.each(['', '/', 'a/../b', 'a b', '//a'])('createStyleguideRoute throws for the prefix %j', (prefix) => {
    expect(() => createStyleguideRoute({ tree, enabled: true, prefix, render: () => new Response() })).toThrow(
      /^prefix: /,
    )
  })
})

it.each(['true', 'false', '1', 1, null, undefined])('createStyleguideRoute throws for enabled: %j', (enabled) => {
  expect(() => request('/styleguide', { enabled: enabled as never })).toThrow(
    /^enabled: expected true or false, got .*process\.env\.NAME === 'true'$|^enabled: expected true or false, got (?:1|null|undefined; write createStyleguideRoute\(.*\))$/,
  )
})

it('a request to a styleguide that is off is logged once in development', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const options = { tree, enabled: false, render: () => new Response() }
  const visit = (route: ReturnType<typeof createStyleguideRoute>) => route(new Request('http://site.test/styleguide/a'))
  const route = createStyleguideRoute(options)
  await visit(route)
  await visit(route)
  expect(warn.mock.calls).toEqual([['styleguide: enabled is false, so /styleguide/a is a 404']])
  vi.stubEnv('NODE_ENV', 'production')
  await visit(createStyleguideRoute(options))
  expect(warn).toHaveBeenCalledOnce()
  vi.unstubAllEnvs()
  warn.mockRestore()
})
