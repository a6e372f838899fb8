import { describe, expect, it, vi } from 'vitest'
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
    ['the root with a slash', '/styleguide/', [200, 'root']],
    ['a query', '/styleguide?a=/b', [200, 'root']],
    ['a page', '/styleguide/%C3%BCber-uns', [200, 'about']],
    ['a page with a slash', '/styleguide/%C3%BCber-uns/', [200, 'about']],
    ['no page: the shell', '/styleguide/nothing', [404, 'shell']],
    ['a malformed escape', '/styleguide/%zz', [404, 'shell']],
    ['an encoded slash', '/styleguide/a%2Fb', [404, 'shell']],
    ['10,000 segments', `/styleguide${'/a'.repeat(10_000)}`, [404, 'shell']],
    ['HEAD', '/styleguide', [200, ''], {}, 'HEAD'],
    ['HEAD of no page', '/styleguide/nothing', [404, ''], {}, 'HEAD'],
    ['POST', '/styleguide', [405, '{"error":"Method not allowed"}'], {}, 'POST'],
    ['off', '/styleguide', [404, 'Not found'], { enabled: false }],
    ['off: a page', '/styleguide/%C3%BCber-uns', [404, 'Not found'], { enabled: false }],
    ['off: POST', '/styleguide', [404, 'Not found'], { enabled: false }, 'POST'],
    ['off: the site’s own page', '/styleguide', [410, 'own'], ownNotFound()],
    ['another route', '/', undefined],
    ['another route, off', '/styleguides', undefined, { enabled: false }],
    ['a longer name', '/styleguide-2', undefined],
    ['another letter case', '/Styleguide', undefined],
    ['deeper', '/en/styleguide', undefined],
    ['another prefix', '/docs/design/%C3%BCber-uns', [200, 'about'], { prefix: 'docs/design' }],
    ['a status set by the renderer', '/styleguide/nothing', [500, 'x'], failing()],
  ])('%s', async (_, path, expected, options, method) => {
    expect(await statusAndBody(path, options, method)).toEqual(expected)
  })

  function ownNotFound(): Partial<StyleguideRouteOptions<string>> {
    return { enabled: false, notFound: () => new Response('own', { status: 410 }) }
  }
  function failing(): Partial<StyleguideRouteOptions<string>> {
    return { render: () => new Response('x', { status: 500 }) }
  }

  it('is never indexed, and keeps the renderer’s headers', async () => {
    for (const path of ['/styleguide/%C3%BCber-uns/', '/styleguide/nothing/']) {
      const response = await request(path)
      expect(response?.headers.get('X-Robots-Tag')).toBe('noindex')
      expect(response?.headers.get('Content-Type')).toBe('text/html')
      expect(response?.headers.get('X-Slug')).toBe(path.slice('/styleguide/'.length))
    }
  })

  it('names the allowed methods', async () => {
    expect((await request('/styleguide', {}, 'DELETE'))?.headers.get('Allow')).toBe('GET, HEAD')
  })

  it('cancels the body of a HEAD request', async () => {
    const cancel = vi.fn()
    await request('/styleguide', { render: () => new Response(new ReadableStream({ cancel })) }, 'HEAD')
    await vi.waitFor(() => expect(cancel).toHaveBeenCalled())
  })

  it('renders again, with the error, when a page failed to render', async () => {
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

  it('keeps the status of the error page, accepts any thrown value, and rejects when it throws again', async () => {
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
    const always = () => Promise.reject(new Error('again'))
    await expect(request('/styleguide', { log, render: always })).rejects.toThrow('again')
  })

  it('logs a page that fails once a minute, however often anybody asks for it, and each page', async () => {
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

  it('does not render again for a client that disconnected', async () => {
    const render = vi.fn(() => Promise.reject(new Error('aborted')))
    const route = createStyleguideRoute({ tree, enabled: true, render })
    const request = new Request('http://site.test/styleguide', { signal: AbortSignal.abort() })
    await expect(route(request)).rejects.toThrow('aborted')
    expect(render).toHaveBeenCalledOnce()
  })

  it.each(['', '/', 'a/../b', 'a b', '//a'])('throws for the prefix %j', (prefix) => {
    expect(() => createStyleguideRoute({ tree, enabled: true, prefix, render: () => new Response() })).toThrow(
      /^prefix: /,
    )
  })
})

it.each(['true', 'false', '1', 1, null, undefined])('refuses enabled: %j', (enabled) => {
  expect(() => request('/styleguide', { enabled: enabled as never })).toThrow(
    /^enabled: expected true or false, got .*process\.env\.NAME === 'true'$|^enabled: expected true or false, got (?:1|null|undefined; write createStyleguideRoute\(.*\))$/,
  )
})

it('says in development, once, that the styleguide is off', async () => {
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
