/** A page, or the function that makes its metadata. It is called with props, and with whatever the framework adds. */
// biome-ignore lint/suspicious/noExplicitAny: nothing else lets the types of every page through.
type PageFunction = (props: any, ...more: any[]) => unknown

/** The wrapped function: what it takes and gives is what the function itself does. */
export type LocalizedFunction<Page extends PageFunction> = (...args: Parameters<Page>) => ReturnType<Page>

/** What a wrapped function finds in `params.slug`. */
type LocalizedSlug = [language: string, ...slug: string[]]

/** Refuses, when compiling, a page whose `params.slug` could not be a list that begins with a language. */
type TakesSlug<Page extends PageFunction> =
  Parameters<Page> extends [{ params?: infer Params }, ...unknown[]]
    ? Awaited<Params> extends { slug?: infer Slug }
      ? LocalizedSlug extends Slug
        ? unknown
        : { error: 'params.slug must take a list of strings: { slug?: string[] }' }
      : unknown
    : unknown

/**
 * Wraps a page so that it is of one language: `params.slug` becomes `[language, ...slug]`, and the page finds its
 * content there. Everything else is passed on as it is.
 *
 * - `params` may be a promise (Next.js 15 and later) or an object; the page gets the same kind.
 * - A missing slug is `[]`. A string, as Hono and Express 4 give it for a wildcard, is split at its slashes. Empty
 *   segments, as of a slash at the end, are left out. Nothing is decoded: Next.js gives segments as the URL has them.
 * - Nothing that is given is changed.
 *
 * @throws TypeError when the language is none.
 * @example
 * // app/de/[[...slug]]/page.tsx
 * export default localizedPage(Page, 'de') // /de/about: Page gets params.slug = ['de', 'about']
 */
export function localizedPage<Page extends PageFunction>(
  page: Page & TakesSlug<Page>,
  language = 'en',
): LocalizedFunction<Page> {
  return localize<Page>(page, language, 'Page')
}

/**
 * Wraps a `generateMetadata` so that it gets the same `params.slug` as the page does by {@link localizedPage}; what
 * Next.js adds (`parent`) is passed on.
 *
 * @throws TypeError when the language is none.
 * @example export const generateMetadata = localizedMetadata(({ params }) => metadataOf(params), 'de')
 */
export function localizedMetadata<Metadata extends PageFunction>(
  generateMetadata: Metadata & TakesSlug<Metadata>,
  language = 'en',
): LocalizedFunction<Metadata> {
  return localize<Metadata>(generateMetadata, language, 'generateMetadata')
}

function localize<Page extends PageFunction>(page: Page, language: string, fallbackName: string) {
  if (!/^[a-z\d]+(?:[-_][a-z\d]+)*$/i.test(language)) {
    throw new TypeError(`language: '${language}' is no language; write one such as 'en' or 'pt-BR'`)
  }
  // One promise in, one promise out: React's `use` wants the same one each time that it renders.
  const pending = new WeakMap<PromiseLike<unknown>, Promise<Params>>()

  const localized: LocalizedFunction<Page> = (...[props, ...more]) => {
    const params = isPromise(props?.params)
      ? localizeLater(props.params, language, pending)
      : localizeParams(props?.params, language)
    return page({ ...props, params }, ...more) as ReturnType<Page>
  }
  const { displayName } = page as { displayName?: string }
  Object.defineProperty(localized, 'name', { value: `${displayName || page.name || fallbackName}(${language})` })
  return localized
}

type Params = Record<string, unknown>

function localizeParams(params: Params | null | undefined, language: string): Params {
  return { ...params, slug: [language, ...segmentsOf(params?.slug)] }
}

function localizeLater(
  params: PromiseLike<Params>,
  language: string,
  pending: WeakMap<PromiseLike<unknown>, Promise<Params>>,
): Promise<Params> {
  const known = pending.get(params)
  if (known) return known
  const later = Promise.resolve(params).then((settled) => localizeParams(settled, language))
  later.catch(() => {}) // a page that does not await its params has not to fail for them
  pending.set(params, later)
  return later
}

function segmentsOf(slug: unknown): string[] {
  const segments = typeof slug === 'string' ? slug.split('/') : Array.isArray(slug) ? slug : []
  return segments.filter((segment) => segment !== '')
}

function isPromise(value: unknown): value is PromiseLike<Params> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
