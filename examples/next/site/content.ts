import { join } from 'node:path'
import { loadSites, type Sites } from '@sitewright/example-site'
import { unstable_cache } from 'next/cache'

const folder = process.env.SITE_FOLDER || join(process.cwd(), '../site')

// A purge of the tag invalidates all pages that read it. The id changes with each purge, so that content is read again.
const currentEdition = unstable_cache(async () => crypto.randomUUID(), ['edition'], { tags: ['document'] })
let cached: { edition: string; sites: Promise<Sites> } | undefined

/** Returns the content as of the last publication. */
export async function readSites(): Promise<Sites> {
  const edition = await currentEdition()
  if (cached?.edition !== edition) {
    const sites = loadSites(folder)
    cached = { edition, sites }
    sites.catch(() => {
      cached = undefined // the next page tries again
    })
  }
  return cached.sites
}
