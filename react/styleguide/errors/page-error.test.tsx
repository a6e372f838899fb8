import * as React from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { renderToReadableStream } from 'react-dom/server.edge'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStyleguideRoute } from '../../../core/styleguide/index.js'
import { type StyleguideContent, type StyleguideContentProps, StyleguidePage } from '../index.js'

const Deep = () => {
  throw new RangeError('too deep')
}
class Throwing extends React.Component<StyleguideContentProps> {
  override render(): never {
    throw new Error('of a class')
  }
}
const fail = (thrown: unknown) => () => {
  throw thrown
}
const treeOf = (content: StyleguideContent) => ({ title: 'Styleguide', pages: [{ title: 'Broken', content }] })
const errorOf = (html: string) =>
  /<p>(.*?)<\/p>/.exec(/<section class="sw-error".*?<\/section>/s.exec(html)?.[0] ?? '')?.[1]

const log = vi.spyOn(console, 'error')
beforeEach(() => void log.mockImplementation(() => {}))
afterEach(() => vi.unstubAllEnvs())

/** Renders like a site: as a stream, behind the route. */
async function serve(content: StyleguideContent): Promise<[number, string]> {
  const tree = treeOf(content)
  const route = createStyleguideRoute({
    tree,
    enabled: true,
    log: () => {},
    render: async ({ slug, error }) =>
      new Response(await renderToReadableStream(<StyleguidePage tree={tree} slug={slug} error={error} />)),
  })
  const response = await route(new Request('http://site.test/styleguide/broken'))
  return [response?.status ?? 0, (await response?.text()) ?? '']
}

describe('a page that throws', () => {
  it.each<[string, StyleguideContent, number, string]>([
    ['a component', fail(new TypeError('no <cover>')), 200, 'TypeError: no &lt;cover&gt;'],
    ['a string', fail('plain'), 200, 'plain'],
    ['undefined', fail(undefined), 200, 'undefined'],
    ['null', fail(null), 200, 'null'],
    ['an object without toString', fail(Object.create(null)), 200, 'A non-Error object was thrown.'],
    ['an async component', async () => Promise.reject(new Error('late')), 200, 'Error: late'],
    ['a component further down', () => <Deep />, 500, 'RangeError: too deep'],
    ['an element', <Deep key="deep" />, 200, 'RangeError: too deep'],
    ['a class', Throwing, 500, 'Error: of a class'],
    ['a memo', React.memo(fail(new Error('memo'))), 500, 'Error: memo'],
  ])('an error is shown in place of the content: %s', async (_, content, status, error) => {
    const [actualStatus, html] = await serve(content)
    expect([actualStatus, errorOf(html)]).toEqual([status, error])
    expect(html).toContain('This page could not be rendered')
    expect(html).toMatch(/<nav class="sw-nav".*<h1 class="sw-title">Broken<\/h1>/s)
  })

  it('the stack is shown in development only', () => {
    const show = () =>
      renderToStaticMarkup(<StyleguidePage tree={treeOf(fail(new Error('secret place')))} slug="broken" />)
    expect(show()).toMatch(/<pre tabindex="0">Error: secret place\n {4}at /)
    expect(log).toHaveBeenCalledWith("styleguide: the page 'Broken' threw", expect.any(Error))
    vi.stubEnv('NODE_ENV', 'production')
    expect(show()).not.toContain('<pre')
    expect(errorOf(show())).toBe('Error: secret place')
  })

  it('the digest under which Next.js logs an error is shown', () => {
    const error = Object.assign(new Error('withheld'), { digest: '2819473@E80' })
    const html = renderToStaticMarkup(<StyleguidePage tree={treeOf(fail(error))} slug="broken" />)
    expect(errorOf(html)).toBe('Error: withheld (digest 2819473@E80)')
  })

  it.each<[string, object]>([
    ['Next.js', Object.assign(new Error('NEXT_NOT_FOUND'), { digest: 'NEXT_HTTP_ERROR_FALLBACK;404' })],
    ['React in production', new Error('Minified React error #460; visit https://react.dev/errors/460')],
  ])('control flow of %s is rethrown', (_, thrown) => {
    const show = () => renderToStaticMarkup(<StyleguidePage tree={treeOf(fail(thrown))} slug="broken" />)
    expect(show).toThrow((thrown as Error).message)
  })

  it('a page may use use(), async components and hooks', async () => {
    const data = new Promise<string>((resolve) => setTimeout(resolve, 5, 'photographs'))
    const Using = () => <p>{React.use(data)} used</p>
    const Awaiting = async () => <p>{await data} awaited</p>
    const Hooked = () => <p>{React.useState('state')[0]}</p>
    expect((await serve(() => <Using />))[1]).toContain('photographs')
    expect((await serve(Using))[1]).toMatch(/photographs.* used/)
    expect((await serve(Awaiting))[1]).toMatch(/photographs.* awaited/)
    expect((await serve(Hooked))[1]).toContain('<p>state</p>')
  })
})
