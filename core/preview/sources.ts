import { sha1 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { MaybePromise } from '../async.js'
import { constantTimeEqual } from '../crypto.js'
import { formatKind, secretError } from '../option-error.js'
import { checkFunction, checkKnownOptions, checkString, type OptionCheck, required } from '../options.js'
import { createSecretMatcher } from '../secrets.js'
import { secondsFromNow } from './session.js'

/** A CMS whose editors may open previews. */
export interface PreviewSource {
  /** The name that `isOn` returns as `source`. */
  readonly name: string
  /**
   * Returns the path of the page that a request opens, and the name of its draft in the CMS, such as a release. Returns
   * `undefined` if the request does not prove that it comes from an editor of this CMS. A path of another site is refused.
   */
  verify(request: Request): MaybePromise<{ path: string; perspective?: string | undefined } | undefined>
  /**
   * Turns a request to the API of this CMS into one for drafts, by changing its URL and headers. Leaves a request to
   * another API unchanged. `perspective` comes from `verify`, if this CMS has opened the preview.
   */
  draft?: ((url: URL, headers: Headers, perspective?: string) => void) | undefined
}

export interface SharedSecretOptions extends Pick<PreviewSource, 'draft'> {
  /** The secret that the CMS writes into the URL, or sends as `Authorization: Bearer`. Without it, nothing is opened. */
  secret: string | undefined
  /** Name of the CMS. Default `'cms'`. */
  name?: string | undefined
  /** Query parameter that has the secret. Default `'secret'`. */
  parameter?: string | undefined
}

const text = required<string>((option, value) => {
  if (typeof value === 'string' && value !== '') return value
  throw secretError(option, 'a text', value === '' ? 'an empty one' : formatKind(value))
})

// A secret may be missing, because the environment of the server is absent while `next build` loads the modules.
const secretText: OptionCheck = (option, value) => {
  if (value === undefined || typeof value === 'string') return value
  throw secretError(option, 'a text', formatKind(value))
}

/**
 * Creates the source of a CMS that opens previews by a secret: in the query of the URL, or as a bearer token. The page
 * is in `path` or `slug`, and `perspective` is passed on. The guide has the URL to write in each CMS.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * sharedSecret({
 *   secret: process.env.PREVIEW_URL_SECRET, // https://www.example.com/api/preview?secret=…&path=/articles/{{slug}}
 *   draft: (url) => url.host === 'cms.example.com' && url.searchParams.set('version', 'draft'),
 * })
 */
export function sharedSecret(options: SharedSecretOptions): PreviewSource {
  const checks = { secret: secretText, name: checkString, parameter: checkString, draft: checkFunction as OptionCheck }
  const { parameter = 'secret', ...given } = checkKnownOptions(options, checks, 'sharedSecret({ secret })')
  const isSecret = createSecretMatcher(given.secret ? [given.secret] : [])
  return {
    name: given.name ?? 'cms',
    draft: given.draft,
    verify({ url, headers }) {
      const query = new URL(url).searchParams
      const bearer = headers.get('authorization')?.replace(/^bearer +/i, '')
      if (!isSecret(query.get(parameter) ?? bearer ?? '')) return undefined
      return { path: pageOf(query), perspective: query.get('perspective') ?? undefined }
    },
  }
}

const pageOf = (query: URLSearchParams) => query.get('path') ?? query.get('slug') ?? '/'

// The studio stores a secret for each preview, which is valid for an hour, and another one for the links that it shares.
const sanityQuery = `*[secret == $secret && (
  _type == "sanity.previewUrlSecret" && dateTime(_updatedAt) > dateTime(now()) - 3600 ||
  _type == "sanity.previewUrlShareAccess" && _id == "sanity-preview-url-secret.share-access")][0].secret`

/**
 * Creates the source for the Presentation tool of Sanity and other callers of `@sanity/preview-url-secret`. The studio
 * stores a secret in the dataset, and sends it: `previewUrl: { previewMode: { enable: '/api/preview' } }`.
 *
 * @param options.token An API token with the right to read drafts ("Viewer"). Without it, nothing is opened.
 * @throws TypeError that names the invalid option.
 * @example sanityPreview({ projectId: 'abc123', dataset: 'production', token: process.env.SANITY_READ_TOKEN })
 */
export function sanityPreview(options: {
  projectId: string
  dataset: string
  token: string | undefined
}): PreviewSource {
  const checks = { projectId: text, dataset: text, token: secretText }
  const call = 'sanityPreview({ projectId, dataset, token })'
  const { projectId, dataset, token } = checkKnownOptions(options, checks, call)
  const host = `${projectId}.api.sanity.io`
  const headers = { authorization: `Bearer ${token}` }
  return {
    name: 'sanity',
    async verify(request) {
      const query = new URL(request.url).searchParams
      const secret = query.get('sanity-preview-secret')
      if (!secret || !token) return undefined
      const search = { query: sanityQuery, $secret: JSON.stringify(secret), perspective: 'raw' }
      const { result } = await askCms(`https://${host}/v2025-02-19/data/query/${dataset}`, search, headers)
      if (typeof result !== 'string' || !constantTimeEqual(secret, result)) return undefined
      const path = query.get('sanity-preview-pathname') ?? '/'
      return { path, perspective: query.get('sanity-preview-perspective') ?? undefined }
    },
    draft(url, requestHeaders, perspective = 'drafts') {
      if (!token || url.hostname.replace('.apicdn.', '.api.') !== host) return
      Object.assign(url, { protocol: 'https:', hostname: host })
      url.searchParams.set('perspective', perspective)
      requestHeaders.set('authorization', headers.authorization)
    },
  }
}

/**
 * Creates the source for Storyblok's Visual Editor. It signs its addresses by
 * `sha1(space_id:preview token:timestamp)`, for an hour
 * (https://www.storyblok.com/faq/how-to-verify-the-preview-query-parameters-of-the-visual-editor). The preview URL of
 * the space is `https://www.example.com/api/preview?path=/`, to which Storyblok adds the slug. The page keeps the
 * parameters that Storyblok's script reads.
 *
 * @param options.token The preview token of the space. Without it, nothing is opened.
 * @throws TypeError that names the invalid option.
 * @example storyblokPreview({ token: process.env.STORYBLOK_PREVIEW_TOKEN })
 */
export function storyblokPreview(options: { token: string | undefined }): PreviewSource {
  const { token } = checkKnownOptions(options, { token: secretText }, 'storyblokPreview({ token })')
  return {
    name: 'storyblok',
    verify({ url }) {
      const query = new URL(url).searchParams
      const read = (name: string) => query.get(`_storyblok_tk[${name}]`) ?? ''
      const signed = new TextEncoder().encode(`${read('space_id')}:${token}:${read('timestamp')}`)
      if (!token || !constantTimeEqual(read('token'), bytesToHex(sha1(signed)))) return undefined
      // Written so that NaN is rejected, too.
      if (!(Number(read('timestamp')) >= secondsFromNow(-1))) return undefined
      const kept = [...query].filter(([name]) => name.startsWith('_storyblok') && name !== '_storyblok_tk[token]')
      const path = pageOf(query)
      return { path: `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(kept)}` }
    },
    draft(url) {
      if (!token || !/^api(?:-\w+)?\.storyblok\.com$/.test(url.hostname)) return
      url.protocol = 'https:'
      url.searchParams.set('version', 'draft')
      url.searchParams.set('token', token)
    },
  }
}

type PrismicDocument = { id: string; uid: string | null; type: string; lang: string }

export interface PrismicPreviewOptions {
  /** Name of the repository: `my-site` for `my-site.prismic.io`. */
  repository: string
  /** Returns the path of a document's page. */
  path: (document: PrismicDocument) => string
  /** Access token, if the API is private. */
  token?: string | undefined
}

/**
 * Creates the source for Prismic's previews, whose preview path is `/api/preview`. Prismic sends a token, which is also
 * the `ref` of the draft, and the id of the document. The repository's API is asked for both.
 *
 * @throws TypeError that names the invalid option.
 * @example prismicPreview({ repository: 'my-site', path: ({ uid }) => `/articles/${uid}` })
 */
export function prismicPreview(options: PrismicPreviewOptions): PreviewSource {
  const checks = { repository: text, path: required(checkFunction as OptionCheck), token: checkString }
  const call = 'prismicPreview({ repository, path })'
  const { repository, path, token } = checkKnownOptions(options, checks, call)
  const hosts = [`${repository}.cdn.prismic.io`, `${repository}.prismic.io`]
  return {
    name: 'prismic',
    async verify({ url }) {
      const query = new URL(url).searchParams
      const [ref, id] = [query.get('token') ?? '', query.get('documentId') ?? '']
      // The ref of the published documents, which is public, opens no preview.
      if (!hosts.some((host) => ref.startsWith(`https://${host}/previews/`)) || !/^[\w-]+$/.test(id)) return undefined
      const search = { ref, q: `[[at(document.id,"${id}")]]`, lang: '*', ...(token && { access_token: token }) }
      const { results: [document] = [] } = await askCms(`https://${hosts[0]}/api/v2/documents/search`, search)
      return document && { path: path(document), perspective: ref }
    },
    draft(url, _headers, ref) {
      if (ref && hosts.includes(url.hostname) && url.pathname.startsWith('/api/v2/')) url.searchParams.set('ref', ref)
    },
  }
}

type Answer = { result?: unknown; results?: PrismicDocument[] }

/** @throws Error if the CMS does not answer within ten seconds, fails, or does not accept the token of the site. */
async function askCms(endpoint: string, search: Record<string, string>, headers: HeadersInit = {}): Promise<Answer> {
  const url = `${endpoint}?${new URLSearchParams(search)}`
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) })
  if (response.ok || response.status === 404 || response.status === 410) return response.json()
  throw new Error(`Preview: ${new URL(endpoint).host} answered ${response.status}`)
}
