import type { PageState } from '../cache/index.js'
import { jsonResponse } from '../http/headers.js'
import { pathTag } from '../tags.js'
import { EndpointError } from './authorize.js'

/** Tells the state of a page in the cache: the `inspect` of a response cache. */
export type Inspect = (url: string) => Promise<PageState>

// Number of purges that are remembered, to name the last one of a page.
const maxPurges = 100

/** Creates the part of the endpoint that tells an editor whether a page is live. */
export function createLive(inspect: Inspect) {
  const purges: { at: Date; tags: readonly string[] }[] = []
  return {
    /** Notes a purge that is done. */
    note(tags: readonly string[]): void {
      purges.unshift({ at: new Date(), tags })
      purges.length = Math.min(purges.length, maxPurges)
    },
    /**
     * Answers `?path=` with the state of the page and its last purge by this process.
     *
     * @throws EndpointError when `path` is missing, or is not a path of the site.
     */
    async answer(request: Request): Promise<Response> {
      const site = new URL(request.url)
      const path = site.searchParams.get('path') ?? ''
      const page = path.startsWith('/') && URL.canParse(path, site) ? new URL(path, site) : undefined
      if (page?.origin !== site.origin) throw new EndpointError(400, "path: expected a path, such as '/articles/boats'")
      const state = await inspect(page.href)
      const own = new Set(state.tags ?? ['document', pathTag(page.pathname)])
      const lastPurge = purges.find(({ tags }) => tags.some((tag) => own.has(tag)))
      return jsonResponse(200, { ...state, lastPurge })
    },
  }
}
