import fc from 'fast-check'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { localizedMetadata, localizedPage } from './index.js'

interface NextProps {
  params: Promise<{ slug?: string[] }>
  searchParams: Promise<Record<string, string>>
}
interface PlainProps {
  params: { slug?: string[] | string | undefined; tenant?: string }
}

const slugOf = ({ params }: { params: { slug?: unknown } }) => params.slug

describe.each([
  ['localizedPage', localizedPage],
  ['localizedMetadata', localizedMetadata],
])('%s', (_, localized) => {
  it.each<[string, unknown, string[]]>([
    ['a slug that is a list', ['a', 'b'], ['en', 'a', 'b']],
    ['an empty list', [], ['en']],
    ['a missing slug', undefined, ['en']],
    ['a slug of null', null, ['en']],
    ['a slug that is a string', 'a', ['en', 'a']],
    ['a string of segments', 'a/b/', ['en', 'a', 'b']],
    ['an empty string', '', ['en']],
    ['a list with an empty last item', ['a', ''], ['en', 'a']],
    ['encoded segments, which stay encoded', ['%C3%A4', 'a%2Fb'], ['en', '%C3%A4', 'a%2Fb']],
    ['names of Object.prototype', ['__proto__', 'constructor'], ['en', '__proto__', 'constructor']],
    ['the language itself', ['en'], ['en', 'en']],
    ['a slug that is a number', 42, ['en']],
  ])('the language comes before the slug of a page with %s', async (_, slug, expected) => {
    expect(localized(slugOf)({ params: { slug } })).toEqual(expected)
    const asyncPage = localized(async ({ params }: { params: Promise<{ slug?: unknown }> }) => (await params).slug)
    expect(await asyncPage({ params: Promise.resolve({ slug }) })).toEqual(expected)
  })

  it('a page without params or props gets the language', () => {
    const page = (props: { params?: { slug?: string[] } } = {}) => props.params?.slug
    expect(localized(page)({})).toEqual(['en'])
    expect(localized(page)()).toEqual(['en'])
  })

  it('a language other than the default can be chosen', () => {
    expect(localized(slugOf, 'pt-BR')({ params: { slug: ['a'] } })).toEqual(['pt-BR', 'a'])
  })

  it.each(['', ' ', 'a/b', '..', 'de-', '<b>'])('the malformed language %j is rejected', (language) => {
    expect(() => localized(slugOf, language)).toThrow(TypeError)
    expect(() => localized(slugOf, language)).toThrow(
      `language: expected a language tag, such as 'en' or 'pt-BR', got '${language}'`,
    )
  })

  it('other props, other params and further arguments are passed on', async () => {
    const page = vi.fn(async (props: NextProps, _parent: Promise<{ title: string }>) => (await props.params).slug)
    const searchParams = Promise.resolve({ q: 'cats' })
    const parent = Promise.resolve({ title: 'Site' })
    await localized(page)({ params: Promise.resolve({ slug: ['a'], tenant: 'x' }), searchParams }, parent)
    const [props, more] = page.mock.calls[0] ?? []
    expect(props?.searchParams).toBe(searchParams)
    expect(more).toBe(parent)
    expect(await props?.params).toEqual({ slug: ['en', 'a'], tenant: 'x' })
  })

  it('no argument is modified', async () => {
    const slug = Object.freeze(['a']) as string[]
    const params = Object.freeze({ slug })
    const props = Object.freeze({ params })
    expect(localized(slugOf)(props)).toEqual(['en', 'a'])
    const promise = Promise.resolve(params)
    const asyncPage = localized(
      async (pageProps: { params: Promise<{ slug?: string[] }> }) => (await pageProps.params).slug,
    )
    expect(await asyncPage(Object.freeze({ params: promise }))).toEqual(['en', 'a'])
    expect(await promise).toBe(params)
    expect(props.params.slug).toEqual(['a'])
  })

  it('the same promise of params becomes the same promise each time, as React’s use requires', () => {
    const page = localized(({ params }: { params: Promise<{ slug?: string[] }> }) => params)
    const params = Promise.resolve({})
    expect(page({ params })).toBe(page({ params }))
    expect(page({ params })).not.toBe(page({ params: Promise.resolve({}) }))
    const german = localized(({ params }: { params: Promise<{ slug?: string[] }> }) => params, 'de')
    expect(german({ params })).not.toBe(page({ params }))
  })

  it('any thenable counts as a promise', async () => {
    // biome-ignore lint/suspicious/noThenProperty: the test needs a thenable
    const params = { then: (resolve: (value: unknown) => void) => resolve({ slug: ['a'] }) } as Promise<{
      slug: string[]
    }>
    const page = localized(async (props: { params: Promise<{ slug: string[] }> }) => (await props.params).slug)
    expect(await page({ params })).toEqual(['en', 'a'])
  })

  it('a rejection is passed to the page, and is not unhandled if the page does not await it', async () => {
    const lost = new Error('lost')
    const awaiting = localized(async ({ params }: { params: Promise<{ slug?: string[] }> }) => (await params).slug)
    await expect(awaiting({ params: Promise.reject(lost) })).rejects.toBe(lost)
    const ignoring = localized((_: { params: Promise<{ slug?: string[] }> }) => 'page')
    const rejected = Promise.reject(lost)
    rejected.catch(() => {})
    expect(ignoring({ params: rejected })).toBe('page')
    await new Promise((resolve) => setTimeout(resolve, 5)) // an unhandled rejection would fail the run
  })

  it('a client component is rejected when it is wrapped, because the server cannot call it', () => {
    // As React's bundler plugins create it (registerClientReference).
    const reference = Object.assign(() => {}, {
      $$typeof: Symbol.for('react.client.reference'),
      $$id: 'page.tsx#default',
    })
    expect(() => localized(reference)).toThrow(
      "page: expected a server component, got a client component ('use client'); wrap a page that renders it",
    )
  })

  it('an error that the page throws is passed on', () => {
    const failing = localized((_: PlainProps): string => {
      throw new Error('no content')
    })
    expect(() => failing({ params: {} })).toThrow('no content')
  })

  it('the language comes before any slug', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), (slug) => {
        expect(localized(slugOf)({ params: { slug } })).toEqual(['en', ...slug])
      }),
    )
  })
})

describe('the name, for stack traces and React DevTools', () => {
  it.each([
    [localizedPage(function AboutPage() {}), 'AboutPage(en)'],
    [
      localizedPage(
        Object.assign(() => {}, { displayName: 'About' }),
        'de',
      ),
      'About(de)',
    ],
    [localizedPage(() => {}), 'Page(en)'],
    [localizedMetadata(() => {}), 'generateMetadata(en)'],
  ])('a wrapped function is named after the page and the language: %o', (page, name) => expect(page.name).toBe(name))
})

describe('types follow the wrapped function', () => {
  const NextPage = async (props: NextProps) => (await props.params).slug?.join('/') ?? ''
  const SyncPage = (props: PlainProps) => props.params.tenant
  const generateMetadata = async (_: NextProps, parent: Promise<{ title: string }>) => ({ title: (await parent).title })

  it('a wrapped page has the parameters and the result of the page', () => {
    expectTypeOf(localizedPage(NextPage)).toEqualTypeOf<typeof NextPage>()
    expectTypeOf(localizedPage(SyncPage, 'de')).toEqualTypeOf<typeof SyncPage>()
    expectTypeOf(localizedMetadata(generateMetadata)).toEqualTypeOf<typeof generateMetadata>()
    expectTypeOf(localizedPage(SyncPage)).returns.toEqualTypeOf<string | undefined>()
    expectTypeOf(localizedPage(() => 1)).toEqualTypeOf<() => number>()
    expectTypeOf(localizedPage((_: { params: Promise<{ slug: [string, ...string[]] }> }) => 1)).returns.toBeNumber()
    expectTypeOf(localizedPage((_: { searchParams: object }) => 1))
      .parameter(0)
      .toEqualTypeOf<{ searchParams: object }>()
  })

  it('mistakes are type errors', () => {
    const mistakes = () => {
      // @ts-expect-error params are missing
      localizedPage(NextPage)({ searchParams: Promise.resolve({}) })
      // @ts-expect-error params of Next.js 14, without a promise
      localizedPage(NextPage)({ params: { slug: [] }, searchParams: Promise.resolve({}) })
      // @ts-expect-error a slug of numbers
      localizedPage(SyncPage)({ params: { slug: [1] } })
      // @ts-expect-error one argument too many
      localizedPage(SyncPage)({ params: {} }, 1)
      // @ts-expect-error the page does not accept a list as slug
      localizedPage((_: { params: { slug: string } }) => 1)
      // @ts-expect-error the page does not accept a list of strings as slug
      localizedPage((_: { params: Promise<{ slug?: number[] }> }) => 1)
      // @ts-expect-error the metadata does not accept a list as slug
      localizedMetadata((_: { params: Promise<{ slug?: number }> }) => 1)
      // @ts-expect-error parent is missing
      localizedMetadata(generateMetadata)({ params: Promise.resolve({}), searchParams: Promise.resolve({}) })
      // @ts-expect-error a page is a function
      localizedPage({ page: NextPage })
      // @ts-expect-error a language is a string
      localizedPage(NextPage, 1)
    }
    expect(mistakes).toBeTypeOf('function')
  })
})
