import { headChanges } from '../cache/own-request.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import { htmlPage } from '../html-page.js'
import { readBytes, readPieces } from '../http/body.js'
import { withHeaders } from '../http/headers.js'
import { createTokens } from '../image/sign.js'
import { optionError } from '../option-error.js'
import { atLeast, checkKnownOptions, checkOrigin, required, unchecked, withMethod } from '../options.js'
import { isBelowRoute, parseRoutePath } from '../routes.js'
import { checkSecrets, type Secret } from '../secrets.js'
import { barStylesheet, formatBar, linkPage, protectDraft, redirectTo, sitePath } from './answers.js'
import { formatCookie, previewCookies, secondsFromNow } from './session.js'
import type { PreviewSource } from './sources.js'

/** Which draft a request gets. */
export interface PreviewState {
  /** Name of the CMS that has opened the preview, such as `sanity`. */
  source: string
  /** Name of the draft in the CMS, such as a release of Sanity or the `ref` of Prismic. */
  perspective?: string | undefined
}

export interface PreviewOptions {
  /**
   * Signs cookies and links: at least 32 characters, such as the output of `openssl rand -hex 32`. In a list, the first
   * secret signs, and all are accepted. A secret that is removed ends all previews that it has signed. Without a
   * secret, nothing is a preview.
   */
  secret: Secret
  /** The CMSs whose editors may open previews, such as `sanityPreview({ … })`. */
  verify: readonly PreviewSource[]
  /** Path of the handler. Default `/api/preview`. */
  path?: string | undefined
  /** Origins of the studios that show drafts in an iframe, such as `https://example.sanity.studio`. Default: none. */
  studio?: readonly string[] | undefined
}

type WithHeaders = Pick<Request, 'headers'>

/** The previews of a site. */
export interface Preview {
  /** Answers `{path}`, where a CMS opens a preview, and `/link`, `/exit` and `/bar.css` below it. Mount it before the cache. */
  readonly handler: RouteHandler
  /**
   * For the option `bypass` of the response cache: whether a request has a valid preview cookie. The cache then makes
   * the answer `private, no-store`, keeps it out of search engines, and lets only the site and its studios frame it.
   */
  bypass(request: Request): boolean
  /** Returns which draft a request gets, or `undefined` without a valid preview cookie. */
  isOn(request: WithHeaders): PreviewState | undefined
  /**
   * Creates a link to a draft for colleagues without an account in the CMS. Its token is in the fragment, which no
   * server, no log and no `Referer` gets. The preview expires with the link.
   *
   * @param page Path of the page.
   * @param options.hours Hours until the link expires, up to 720. Default 48.
   * @param options.draft Which draft the link shows: a result of `isOn`. Default: the newest.
   * @returns A path of the site: put the origin before it.
   * @throws TypeError for another site's path, and without a secret.
   * @example preview.link('/articles/boats', { hours: 24 }) // '/api/preview/link#eyJ1bn…'
   */
  link(page: string, options?: { hours?: number | undefined; draft?: PreviewState | undefined }): string
  /**
   * Returns a `fetch` for a request. In a preview it asks the draft API of each source, and notes no content tags.
   *
   * @param published The `fetch` for everyone else. Default: the platform's.
   * @example const post = await preview.fetch(request, content.fetch)(url)
   */
  fetch(request: WithHeaders, published?: typeof fetch): typeof fetch
  /** Returns an answer with the headers that {@link Preview.bypass} gives to a draft. Needed only without a cache. */
  respond(request: WithHeaders, response: Response): Response
  /** Returns the HTML of a bar with a button that ends the preview, or `''` if the request is no preview. */
  bar(request: WithHeaders): string
}

const call = 'createPreview({ secret, verify: [source] })'
const editorHours = 8
const maxFormBytes = 8192
const checks = {
  secret: unchecked,
  verify: required(withMethod('map', 'a list of sources, such as [sanityPreview({ … })]')),
  path: parseRoutePath,
  studio: withMethod('map', "a list of origins, such as ['https://app.storyblok.com']"),
}

/**
 * Creates the previews of a site: editors see drafts, and nobody else ever does.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const preview = createPreview({ secret, verify: [storyblokPreview({ token })], studio: ['https://app.storyblok.com'] })
 * const cache = createResponseCache({ store, bypass: preview.bypass })
 * app.use(honoMiddleware(preview.handler), honoMiddleware(cache.wrap(renderPage)))
 */
export function createPreview(options: PreviewOptions): Preview {
  const { secret, verify, studio = [], ...rest } = checkKnownOptions(options, checks, call)
  const path = parseRoutePath('path', rest.path ?? '/api/preview')
  // The site itself may frame a draft, too, because some studios are a part of it.
  const ancestors = ["frame-ancestors 'self'", ...studio.map((origin) => checkOrigin('studio', origin))].join(' ')
  const secrets = checkSecrets(secret, 32)
  const cookies = createTokens<PreviewState & { until: number }>('preview cookie', secrets)
  const links = createTokens<PreviewState & { until: number; page: string }>('preview link', secrets)

  const isOn = ({ headers }: WithHeaders): PreviewState | undefined => {
    const tokens = previewCookies(headers).flatMap((value) => cookies.read(value) ?? [])
    const [latest] = tokens.filter(({ until }) => until > secondsFromNow()).sort((a, b) => b.until - a.until)
    return latest && { source: latest.source, perspective: latest.perspective }
  }

  /** Turns the preview on, and redirects to the page. */
  const enter = (request: Request, page: string, until: number, { source, perspective }: PreviewState) => {
    const location = sitePath(page)
    if (location === undefined) return htmlPage(400, 'This page cannot be previewed', notOfSite, ancestors)
    const cookie = cookies.create({ until, source, perspective })
    const isFrame = request.headers.get('sec-fetch-dest') === 'iframe'
    return redirectTo(location, [formatCookie(request, isFrame, cookie, until - secondsFromNow())])
  }

  const open = async (request: Request) => {
    for (const source of verify) {
      const opened = await source.verify(request)
      if (opened) return enter(request, opened.path, secondsFromNow(editorHours), { ...opened, source: source.name })
    }
    return htmlPage(403, 'This preview address is not valid', openAgain, ancestors)
  }

  const openLink = async (request: Request) => {
    const form = await readBytes(readPieces(request.body), maxFormBytes).catch(() => undefined) // too large
    const token = links.read(new URLSearchParams(new TextDecoder().decode(form)).get('token') ?? '')
    if (!token) return htmlPage(403, 'This preview link is not valid', askAgain, ancestors)
    if (token.until <= secondsFromNow()) return htmlPage(410, 'This preview link has expired', askAgain, ancestors)
    return enter(request, token.page, token.until, token)
  }

  /** Turns the preview off, and redirects back to the page. */
  const exit = (request: Request) => {
    const referer = request.headers.get('referer') ?? ''
    const { pathname, search } = new URL(URL.canParse(referer) ? referer : '/', request.url)
    return redirectTo(sitePath(pathname + search) ?? '/', [formatCookie(request, true), formatCookie(request, false)])
  }

  // A browser prefetches only by GET, so it ends no preview.
  const routes: Readonly<Record<string, (request: Request) => Response | Promise<Response>>> = {
    'GET ': open,
    'GET /link': linkPage,
    'POST /link': openLink,
    'POST /exit': exit,
    'GET /bar.css': barStylesheet,
  }

  return {
    isOn,
    handler: expectRequest(async (request) => {
      const { pathname } = new URL(request.url)
      if (!isBelowRoute(pathname, path)) return undefined
      const method = request.method === 'HEAD' ? 'GET' : request.method
      return routes[`${method} ${pathname.slice(path.length).replace(/\/$/, '')}`]?.(request)
    }),
    bypass(request) {
      if (!isOn(request)) return false
      headChanges.set(request, (headers) => protectDraft(headers, ancestors))
      return true
    },
    link(page, { hours = 48, draft = { source: 'link' } } = {}) {
      const target = sitePath(page)
      if (target === undefined) throw optionError('page', "a path of the site, such as '/articles/boats'", page)
      const until = secondsFromNow(Math.min(atLeast(0)('hours', hours), 720))
      return `${path}/link#${links.create({ ...draft, until, page: target })}`
    },
    fetch(request, published = fetch) {
      const state = isOn(request)
      if (!state) return published
      return (input, init) => {
        const asked = new Request(input, init)
        const [url, headers] = [new URL(asked.url), new Headers(asked.headers)]
        for (const cms of verify) cms.draft?.(url, headers, cms.name === state.source ? state.perspective : undefined)
        return fetch(new Request(url, asked), { headers })
      }
    },
    respond: (request, response) =>
      isOn(request) ? withHeaders(response, (headers) => protectDraft(headers, ancestors)) : response,
    bar: (request) => (isOn(request) ? formatBar(path) : ''),
  }
}

const openAgain = '<p>Its secret is wrong or too old. Open the preview in the CMS again.</p>'
const askAgain = '<p>Ask the person who sent it for a new one.</p>'
const notOfSite = '<p>The address in the CMS must be a path of this site, such as /articles/boats.</p>'
