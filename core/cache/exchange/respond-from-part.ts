import type { ByteRange } from '../../http/range.js'
import { chain, type MaybePromise } from '../../maybe-promise.js'
import type { GuardedStore } from '../store/guarded-store.js'
import type { Exchange } from './context.js'
import type { LookUp } from './lookup.js'

// Most of a body that is larger is read with the rest, by all who want any of it at once.
const maxPartBytes = 256 * 1024

type Respond = (exchange: Exchange) => MaybePromise<Response | undefined>

export interface RespondFromPartOptions {
  lookUp: LookUp
  getPart: NonNullable<GuardedStore['getPart']>
  /** Answers an exchange that was looked up. It reads the whole page itself when it needs it. */
  decide: Respond
  /** Answers an exchange from the whole page. */
  respond: Respond
}

/**
 * Creates the function that answers a HEAD, a client that has the page, or a range, without reading of a stored body what nobody
 * gets: reading it costs far more than the request.
 */
export function createRespondFromPart({ lookUp, getPart, decide, respond }: RespondFromPartOptions): Respond {
  const lookUpPart = (exchange: Exchange, start: number, end: number) =>
    lookUp({ ...exchange, isPart: true }, (key) => getPart(key, start, end))

  return (exchange) =>
    chain(lookUpPart(exchange, 0, 0), (looked) => {
      const { cached, request } = looked
      const part = cached?.partOf(request)
      if (!cached || part === undefined || part === 'nothing') return decide(looked)
      if (part === 'whole' || isMostOf(part, cached.bodyLength)) return respond(exchange)
      return chain(lookUpPart(exchange, part.first, part.last + 1), (found) => {
        const again = found.cached?.partOf(request)
        // It may be another response by now.
        const isSame = typeof again === 'object' && again.first === part.first && again.last === part.last
        return isSame ? decide(found) : respond(exchange)
      })
    })
}

function isMostOf({ first, last }: ByteRange, length: number): boolean {
  const size = last + 1 - first
  return size > maxPartBytes && size > length / 2
}
