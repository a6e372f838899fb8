import type { EndLease } from '../../store/store.js'
import { type CachedResponse, toCachedResponse } from '../cached-response.js'
import { type CacheContext, createExchange, type Exchange, type Render } from '../context.js'
import type { Variant } from '../keys/variant.js'
import type { LookUp } from '../lookup.js'
import { decideReuse } from '../reuse.js'
import { shareCached } from '../store-response.js'
import { failed } from './in-flight-renders.js'

/** Renders, or returns what takes the place of the render. `undefined`: not the handler's route, or nobody waits for it. */
export type RunRender = (render: Render) => Promise<Response | undefined>

/**
 * Creates the function that renders a page once for all processes that share the store: it looks for what another process
 * has stored, then takes a lease, waits while another process has it, and looks again. When there is nothing, it renders.
 * What it finds answers only if its stamp says that it is not purged, so a lease that fails costs a render, and never leads
 * to an old page.
 *
 * A lease is for one stamp: as a request that comes after a purge joins no render that began before it, it does not wait
 * for one of another process either.
 */
export function createLeasedRender(context: CacheContext, lookUp: LookUp, render: RunRender): RunRender {
  const { store, settings, formatStatus, varyKey } = context
  const { lease, getLatest } = store

  const findFresh = async ({ request, handler, directives, url, stamp }: Exchange): Promise<Fresh | undefined> => {
    const unknown = { ...createExchange(request, handler, directives, url), stamp }
    const { cached, age, purge, vary, key } = await lookUp(unknown, getLatest)
    if (!cached || decideReuse(cached.entry, directives, age, purge) !== 'fresh') return undefined
    // Those who joined take its initial age for the current one.
    const fresh = toCachedResponse({ ...cached.entry, initialAge: age }, formatStatus)
    return { cached: fresh, variant: { key, vary, fits: (headers) => !vary || varyKey(url, vary, headers) === key } }
  }

  const respond = ({ exchange, inFlight, forward }: Render, { cached, variant }: Fresh): Response => {
    inFlight.isForAll = true
    inFlight.resolve(shareCached(cached, variant))
    const status = formatStatus({ forward, collapsed: true })
    return cached.respond(exchange.request, { age: cached.entry.initialAge, status })
  }

  if (!lease && !getLatest) return render
  return async (work) => {
    const { exchange, inFlight } = work
    const isBackground = inFlight.kind === 'background'
    const { key, stamp, cached } = exchange
    // What is out of date here may have been replaced elsewhere. What is missing has just been looked for.
    const replaced = cached && getLatest && (await findFresh(exchange))
    if (replaced) return respond(work, replaced)
    if (!lease) return render(work)
    const name = `${stamp?.epoch} ${stamp?.sequence} ${inFlight.isOrdinary ? '' : 'unusual '}${key}`
    const end: EndLease | undefined = await lease(name, isBackground ? 0 : settings.joinTimeout)
    // By then it is stored. A visitor of another process whose render failed renders himself; but in the background nobody would.
    const endLease = () => end?.(inFlight.isStored || !isBackground)
    inFlight.result.then(endLease).catch(() => {})
    inFlight.signal.throwIfAborted()
    const found = await findFresh(exchange)
    if (found) return respond(work, found)
    if (end || !isBackground) return render(work)
    inFlight.resolve(failed) // another process renders it, and the old page is good until then
    return undefined
  }
}

interface Fresh {
  cached: CachedResponse
  variant: Variant
}
