import type { MaybePromise } from '../async.js'
import type { ForwardReason } from '../http/cache-status.js'
import { describeError } from '../log.js'
import { pathTag } from '../tags.js'
import { withTimeout } from '../timeout.js'
import type { CacheContext } from './context.js'
import type { Narrowed } from './key.js'
import { type HeadFields, headChanges, type Passage, passOnTo } from './own-request.js'
import type { Page } from './page.js'
import { planStorage } from './policy.js'

/** Passes a visitor's own request on. `page` is what the request asks for, unless only this visitor may get it. */
export type Pass = ReturnType<typeof createPass>

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
// Directives for shared caches. They are removed, because no shared cache may store the response.
const sharedDirectives = /^(?:public|private|s-maxage|proxy-revalidate|stale-while-revalidate|stale-if-error)(?:=|$)/i
const sharedFields = /^(?:.*-cache-control|surrogate-(?:control|key)|edge-control|x-accel-expires|(?:.*-)?cache-tag)$/
// A directive. A quoted value may contain commas.
const memberPattern = /(?:"(?:\\.|[^"\\])*"|[^",])+/g

/**
 * Creates the function that passes a visitor's own request to the handler unchanged, and makes the response `private`.
 */
export function createPass(context: CacheContext) {
  const { store, tagIndex, knownPages, renders, narrow, isCovered, targets, explainRefusal, log } = context

  /** Purges the path of a page. A URL without a page, such as a made-up URL or the URL of an API, causes no purge. */
  const purge = async ({ url, key }: Narrowed) => {
    if (!knownPages.has(url) && !(await store.get(key))) return
    void store.delete(key)
    await tagIndex.purge([pathTag(new URL(url).pathname)], 'hard')
  }
  /**
   * Purges the pages that an unsafe request may have changed: those of its URL, and of the URLs in its response (RFC
   * 9111, section 4.4).
   */
  const invalidate = async ({ url, headers }: Request, answer: Pick<Headers, 'get'>) => {
    const headerUrls = ['location', 'content-location'].flatMap((name) => answer.get(name) ?? [])
    const urls = [url, ...headerUrls.filter((href) => URL.canParse(href, url))].map((href) => new URL(href, url))
    const sameOrigin = urls.filter(({ origin }) => origin === new URL(url).origin)
    await Promise.all(sameOrigin.map(({ href }) => purge(narrow({ url: href, headers }))))
  }

  const onError = (error: unknown) =>
    log('Response cache: purge by an unsafe method failed', { reason: describeError(error) })

  const purgeAfter = (request: Request, status: number, answer: Pick<Headers, 'get'>) => {
    if (status < 200 || status >= 400) return undefined
    return withTimeout(context.storeTimeout, invalidate(request, answer)).catch(onError)
  }

  /** Notes whether an app's own answer says that its page may be stored. Returns why not. */
  const learn = ({ key }: Narrowed, status: number, headers: Headers): string | undefined => {
    // A 304 and a 206 have the fields of the whole response (RFC 9110, sections 15.3.7 and 15.4.5).
    const whole = { status: status === 304 || status === 206 ? 200 : status, headers }
    const { refusal } = planStorage(whole, { targets, isCovered, delay: 0, now: Date.now() })
    renders.learn(key, refusal === undefined)
    explainRefusal(refusal)
    return refusal
  }

  return (
    request: Request,
    { handler, passOn }: Pick<Page, 'handler' | 'passOn'>,
    { forward, detail }: { forward: ForwardReason; detail?: string | undefined },
    page?: Narrowed,
  ): MaybePromise<Response | undefined> => {
    const passage: Passage = {
      changeHead(status, headers) {
        const refusal = page && learn(page, status, headers as Headers)
        const member = context.formatStatus({ forward, status, detail: refusal ?? detail })
        headers.set('cache-status', [headers.get('cache-status') ?? [], member].flat().join(', '))
        if (!context.exposeTags) headers.delete('cache-tag')
        makePrivate(headers, passOn !== undefined)
        headChanges.get(request)?.(headers)
      },
      beforeEnd: safeMethods.has(request.method)
        ? undefined
        : (status, headers) => purgeAfter(request, status, headers),
    }
    return (passOn ?? passOnTo(handler))(request, passage)
  }
}

/**
 * Keeps a response out of every shared cache. Removes all fields that control (RFC 9213) or purge such a cache.
 *
 * @param isLenient Whether a response that says nothing to shared caches stays as it is.
 */
export function makePrivate(headers: HeadFields, isLenient: boolean): void {
  const shared = [...headers.keys()].filter((name) => sharedFields.test(name))
  for (const name of shared) headers.delete(name)
  const members = (headers.get('cache-control')?.match(memberPattern) ?? []).map((member) => member.trim())
  if (members.some((member) => /^(?:private|no-store)$/i.test(member))) return
  const isForAll = (member: string) => sharedDirectives.test(member) || /^max-age=(?!0+$)/i.test(member)
  if (isLenient && shared.length === 0 && !members.some(isForAll) && !headers.has('expires')) return
  const kept = members.filter((member) => member && !sharedDirectives.test(member))
  headers.set('cache-control', ['private', ...kept].join(', '))
}
