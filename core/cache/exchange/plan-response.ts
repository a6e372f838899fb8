import { type ParsedTags, parseTags } from '../../tag-names.js'
import type { CacheContext, Render } from './context.js'
import { mayBeDueToClient } from './keys/client.js'
import { planStorage, type StoragePlan } from './policy.js'
import { isOfVisitor } from './renders/in-flight-renders.js'
import type { ResponseHead } from './store-response.js'

/** Decides whether and how the response of a render is stored, and under which tags. */
export function planResponse(
  { exchange, inFlight }: Render,
  { status, headers }: ResponseHead,
  began: number,
  { settings, sharedPages }: CacheContext,
): { plan: StoragePlan; tags: ParsedTags } {
  const { request, directives, vary } = exchange
  const authorized = request.headers.has('authorization')
  const { noStore } = directives
  const delay = (performance.now() - began) / 1000
  const isOfClient = () => isOfVisitor(inFlight) || mayBeDueToClient({ request, vary }, headers)
  const plan = planStorage({ authorized, noStore, isOfClient, status, headers, now: Date.now(), delay }, settings)
  if (!plan.terms) return { plan, tags: { tags: [] } }
  const tags = parseTags(headers.get('cache-tag'))
  if (inFlight.mayBeStored) return { plan, tags }
  sharedPages.noteOwn(exchange)
  return { plan: { ...plan, terms: { ...plan.terms, ttl: 0 } }, tags }
}
