import { optionError, secretError } from '../option-error.js'
import { checkFunction } from '../options.js'

/** A page, or the function that generates its metadata. Frameworks may pass further arguments after the props. */
// biome-ignore lint/suspicious/noExplicitAny: no other type accepts the props of every page.
type PageFunction = (props: any, ...rest: any[]) => unknown

/** The wrapped function, with the same parameters and result as the original function. */
export type LocalizedFunction<Page extends PageFunction> = (...args: Parameters<Page>) => ReturnType<Page>

/** The type of `params.slug` that a wrapped function gets. */
type LocalizedSlug = [language: string, ...slug: string[]]

/** A type error for a page whose `params.slug` cannot be a list that begins with a language. */
type AcceptsLocalizedSlug<Page extends PageFunction> =
  Parameters<Page> extends [{ params?: infer Params }, ...unknown[]]
    ? Awaited<Params> extends { slug?: infer Slug }
      ? LocalizedSlug extends Slug
        ? unknown
        : { error: 'params.slug must accept a list of strings: { slug?: string[] }' }
      : unknown
    : unknown

/**
 * Wraps a page for one language: `params.slug` becomes `[language, ...slug]`. Everything else is passed on unchanged.
 *
 * - `params` may be a promise (Next.js 15 and later) or an object; the page gets the same kind.
 * - A missing slug counts as `[]`. A string, which the wildcards of Hono and Express 4 produce, is split at its
 *   slashes. Empty segments, such as after a trailing slash, are dropped. Nothing is decoded: Next.js passes segments
 *   as they are in the URL.
 * - No argument is modified.
 *
 * @param language Language tag, such as `'de'` or `'pt-BR'`. Default `'en'`.
 * @throws TypeError when the language is malformed, and when the page is a client component.
 * @example
 * // app/de/[[...slug]]/page.tsx
 * export default localizedPage(Page, 'de') // /de/about: Page gets params.slug = ['de', 'about']
 */
export function localizedPage<Page extends PageFunction>(
  page: Page & AcceptsLocalizedSlug<Page>,
  language = 'en',
): LocalizedFunction<Page> {
  return localize<Page>(page, language, 'Page')
}

/**
 * Wraps a `generateMetadata` for one language, so that it gets the same `params.slug` as a page wrapped by
 * {@link localizedPage}. The `parent` of Next.js is passed on.
 *
 * @param language Language tag, such as `'de'` or `'pt-BR'`. Default `'en'`.
 * @throws TypeError when the language is malformed.
 * @example export const generateMetadata = localizedMetadata(({ params }) => readMetadata(params), 'de')
 */
export function localizedMetadata<Metadata extends PageFunction>(
  generateMetadata: Metadata & AcceptsLocalizedSlug<Metadata>,
  language = 'en',
): LocalizedFunction<Metadata> {
  return localize<Metadata>(generateMetadata, language, 'generateMetadata')
}

function localize<Page extends PageFunction>(page: Page, language: string, fallbackName: string) {
  checkFunction('page', page, 'a page, or its generateMetadata')
  checkLanguage('language', language)
  // Next.js replaces the exports of a module with 'use client' by references, which the server cannot call.
  if ((page as { $$typeof?: symbol }).$$typeof === Symbol.for('react.client.reference')) {
    throw secretError('page', 'a server component', "a client component ('use client')", 'wrap a page that renders it')
  }
  // A promise is always mapped to the same promise, because React's `use` needs the same one in each render.
  const localizedParams = new WeakMap<PromiseLike<unknown>, Promise<Params>>()
  const localizePromise = (params: PromiseLike<Params>): Promise<Params> => {
    const existing = localizedParams.get(params)
    if (existing) return existing
    const result = Promise.resolve(params).then((resolved) => localizeParams(resolved, language))
    result.catch(() => {}) // avoids an unhandled rejection if a page does not await its params
    localizedParams.set(params, result)
    return result
  }

  const localized: LocalizedFunction<Page> = (...[props, ...rest]) => {
    const params = isPromise(props?.params) ? localizePromise(props.params) : localizeParams(props?.params, language)
    return page({ ...props, params }, ...rest) as ReturnType<Page>
  }
  const { displayName } = page as { displayName?: string }
  Object.defineProperty(localized, 'name', { value: `${displayName || page.name || fallbackName}(${language})` })
  return localized
}

/** Checks that an option is a well-formed language tag, with hyphens or underscores. */
export function checkLanguage(option: string, value: unknown): string {
  if (typeof value === 'string' && /^[a-z\d]+(?:[-_][a-z\d]+)*$/i.test(value)) return value
  throw optionError(option, "a language tag, such as 'en' or 'pt-BR'", value)
}

type Params = Record<string, unknown>

function localizeParams(params: Params | null | undefined, language: string): Params {
  return { ...params, slug: [language, ...toSegments(params?.slug)] }
}

/** Returns the segments of a path, or of the `slug` that a server passes, without empty segments. */
export function toSegments(slug: unknown): string[] {
  const segments = typeof slug === 'string' ? slug.split('/') : Array.isArray(slug) ? slug : []
  return segments.filter((segment) => segment !== '')
}

function isPromise(value: unknown): value is PromiseLike<Params> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
