import { LRUCache } from 'lru-cache'
import type { ImagePlan, ImagePlanner } from './planner.js'

const maxPlans = 1_000
// What the loader writes is shorter, and a client may send any number of URLs of 16 KB.
const maxUrlLength = 1_000

/**
 * Creates a planner that remembers the URLs of the service for the 1,000 images that were asked for last. A URL with a version
 * is planned again each time, since the original may have another one by now.
 */
export function rememberPlans(plan: ImagePlanner): ImagePlanner {
  const plans = new LRUCache<string, ImagePlan>({ max: maxPlans })
  return (request) => {
    const { method, url } = request
    const key = `${method} ${url}`
    const known = plans.get(key)
    if (known) return known
    const planned = plan(request)
    if (planned?.url !== undefined && url.length <= maxUrlLength && !url.includes('&')) plans.set(key, planned)
    return planned
  }
}
