import type { Handler, RouteHandler } from '../handler.js'
import { parseRequestDirectives } from '../http/request-directives.js'
import type { MaybePromise } from '../maybe-promise.js'
import { checkTags } from '../tag-names.js'
import { createAnswer } from './answer.js'
import { completeOptions, type ResponseCacheOptions } from './options.js'
import { createParts } from './parts.js'
import { createPass } from './pass.js'
import { tagAnswers } from './tag-answers.js'
import type { PurgeMode } from './tag-index.js'

/** A shared HTTP cache inside the server. */
export interface ResponseCache {
  /** Gives a handler that answers out of the cache where it may, and asks the one given otherwise. */
  wrap(handler: Handler): Handler
  wrap(handler: RouteHandler): RouteHandler
  /**
   * Purges what bears one of the tags. Once it resolves, no request that begins later is answered with a page that was
   * rendered before (`hard`), or only while the new one renders (`soft`). It rejects when that is not certain.
   *
   * @param options.mode Default `'hard'`.
   * @example await pages.invalidate(['document'], { mode: 'soft' })
   */
  invalidate(tags: readonly string[], options?: { mode?: PurgeMode | undefined }): Promise<void>
}

// What is longer is no page's address, and would fill the memory with keys.
const longestUrl = 8192

/**
 * Creates a response cache: a shared cache by RFC 9111 (with RFC 5861, 9211 and 9213) around any handler. What may be
 * stored and for how long, the response says in `Cache-Control`; what it is purged by, in `Cache-Tag`. What is stored also
 * answers HEAD, conditional requests and single ranges; a range of what is not stored is the handler's to answer.
 *
 * @throws TypeError that names the option when one makes no sense.
 * @example
 * const pages = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 * 1024 }) })
 * const handler = pages.wrap(renderPage)
 * await pages.invalidate(['document'])
 */
export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const settings = completeOptions(options)
  const parts = createParts(settings)
  const answer = createAnswer(parts)
  const pass = createPass(parts)

  const handle = (request: Request, handler: RouteHandler): MaybePromise<Response | undefined> => {
    const { method, headers } = request
    if (method !== 'GET' && method !== 'HEAD') return pass(request, handler, 'method')
    const wishes = parseRequestDirectives(headers, settings.honorRequestCacheControl)
    if (wishes.noStore) return pass(request, handler, 'request')
    const url = parts.urlKey(request.url)
    if (url.length > longestUrl) return pass(request, handler, 'bypass')
    return answer({ request, handler, wishes, url })
  }

  return {
    wrap: ((handler: RouteHandler): RouteHandler => {
      const tagged = tagAnswers(handler, settings.tagsOf)
      return (request) => {
        try {
          const answered = handle(request, tagged)
          return answered instanceof Promise ? answered : Promise.resolve(answered)
        } catch (error) {
          return Promise.reject(error)
        }
      }
    }) as ResponseCache['wrap'],
    async invalidate(tags, { mode = 'hard' } = {}) {
      if (mode !== 'hard' && mode !== 'soft') throw new TypeError(`mode: '${mode}' is none; write 'hard' or 'soft'`)
      await settings.tagIndex.purge(checkTags(tags), mode)
    },
  }
}
