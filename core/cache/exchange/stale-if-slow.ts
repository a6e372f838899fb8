import { startDeadline } from '../../timeout.js'
import type { CacheContext, Exchange } from './context.js'
import { describeClient } from './keys/client.js'
import { respondStaleIfError } from './render.js'
import { anonymousHeaders } from './renders/anonymous-request.js'
import { mayServeOnError, type Reuse } from './reuse.js'

/**
 * Creates the function that answers a request by what is stored, when the handler takes longer than `staleIfErrorTimeout`.
 * `undefined`: nothing is stored that may stand in for an error, or the option is not given. As after a failure, the handler is left
 * alone for a while; what it has begun goes on like any render that its clients have left.
 */
export function createStaleIfSlow({ settings, backoff, sharedPages }: CacheContext) {
  const { staleIfErrorTimeout } = settings

  const limit = async (exchange: Exchange, timeout: number, respond: Respond): Promise<Response | undefined> => {
    const deadline = startDeadline(timeout, exchange.request.signal)
    exchange.signal = deadline.signal
    const isForAll = sharedPages.isDue(exchange)
    try {
      return await respond(exchange)
    } catch (error) {
      const old = deadline.isOver() ? respondStaleIfError(exchange) : undefined
      if (!old) throw error
      // As of any error: it may be due to a field of the client.
      const { request } = exchange
      const asked = isForAll ? anonymousHeaders(sharedPages.receivedOf(exchange)) : request.headers
      backoff.fail(exchange.key, describeClient(asked))
      return old
    } finally {
      deadline.end()
    }
  }

  return (exchange: Exchange, reuse: Reuse, respond: Respond): Promise<Response | undefined> | undefined => {
    const { cached, age, purge, signal } = exchange
    if (staleIfErrorTimeout === undefined || signal || reuse !== 'revalidate') return undefined
    if (!cached || !mayServeOnError(cached.entry, age, purge)) return undefined
    return limit(exchange, staleIfErrorTimeout, respond)
  }
}

type Respond = (exchange: Exchange) => Response | undefined | PromiseLike<Response | undefined>
