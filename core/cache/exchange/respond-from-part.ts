import { chain, type MaybePromise } from '../../maybe-promise.js'
import type { GuardedStore } from '../store/guarded-store.js'
import type { Exchange } from './context.js'
import type { LookUp } from './lookup.js'
import { decideReuse } from './reuse.js'

// Of a larger part, the whole body is read, at once.
const maxPartBytes = 256 * 1024
// Whose responses have no part of the stored body.
const bodilessStatuses: ReadonlySet<number> = new Set([304, 416])

type Respond = (exchange: Exchange) => MaybePromise<Response | undefined>

export interface RespondFromPartOptions {
  lookUp: LookUp
  getPart: NonNullable<GuardedStore['getPart']>
  /** Answers an exchange that was looked up. */
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
    lookUp({ ...exchange, isHeadOnly: true }, (key) => getPart(key, start, end))

  const respondWithPart = (exchange: Exchange, { first, last }: { first: number; last: number }) =>
    chain(lookUpPart(exchange, first, last + 1), (found) => {
      const { cached, age, request } = found
      const part = cached?.partOf(request)
      // It may be another response by now.
      const isSame = part?.first === first && part.last === last
      return cached && isSame && isFreshForClient(found) ? cached.respond(request, { age }) : respond(exchange)
    })

  return (exchange) =>
    chain(lookUpPart(exchange, 0, 0), (looked) => {
      const { cached, age, request } = looked
      if (!cached || request.method === 'HEAD') return decide(looked)
      if (!isFreshForClient(looked)) return respond(exchange)
      const part = cached.partOf(request)
      if (part) return part.last - part.first < maxPartBytes ? respondWithPart(exchange, part) : respond(exchange)
      const response = cached.respond(request, { age })
      return bodilessStatuses.has(response.status) ? response : respond(exchange)
    })
}

function isFreshForClient({ request, directives, cached, age, purge }: Exchange): boolean {
  if (!cached || (!cached.entry.allowsAuthorization && request.headers.has('authorization'))) return false
  return decideReuse(cached.entry, directives, age, purge) === 'fresh'
}
