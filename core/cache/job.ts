import type { RouteHandler } from '../handler.js'
import type { Forward } from '../http/cache-status.js'
import type { RequestDirectives } from '../http/request-directives.js'
import { type ParsedTags, parseTags } from '../tag-names.js'
import type { Flight } from './flights.js'
import type { Lookup } from './lookup.js'
import type { Parts } from './parts.js'
import { planStorage, type StoragePlan } from './policy.js'
import { mayServeOnError } from './reuse.js'

/** One render: what for, and what is known already. */
export interface Job {
  request: Pick<Request, 'url' | 'method' | 'headers' | 'signal'>
  handler: RouteHandler
  lookup: Lookup
  wishes: RequestDirectives
  forward: Forward
  flight: Flight
  /** Whether no visitor waits for it. */
  isBackground: boolean
  /** The first reader waits no more. */
  leave(): void
}

/** The head of a response, or what it would be. */
export type ResponseHead = Pick<Response, 'status' | 'statusText' | 'headers'>

/** Whether and how a response is stored, and under which tags. */
export function planJob(
  { request, wishes }: Job,
  response: ResponseHead,
  began: number,
  { settings }: Parts,
): { plan: StoragePlan; parsed: ParsedTags } {
  const { status, headers } = response
  const exchange = { authorized: request.headers.has('authorization'), noStore: wishes.noStore, status, headers }
  const plan = planStorage({ ...exchange, now: Date.now(), delay: (performance.now() - began) / 1000 }, settings)
  return { plan, parsed: plan.terms ? parseTags(headers.get('cache-tag')) : { tags: [] } }
}

/** What is stored already, when it may stand in for a failure (RFC 5861, section 4). */
export function staleAnswer({ lookup, request }: Pick<Job, 'lookup' | 'request'>): Response | undefined {
  const { prepared, age, purge } = lookup
  if (!prepared || !mayServeOnError(prepared.entry, age, purge)) return undefined
  return prepared.respond(request, { age, detail: 'stale-if-error' })
}
