import { join } from 'node:path'
import { loadSites, type Sites } from 'example-site'
import { unstable_cache } from 'next/cache'

const folder = process.env.SITE_FOLDER || join(process.cwd(), '../site')

// The tag makes every page that asks for it stale when an editor publishes; its name tells one edition from the next.
const currentEdition = unstable_cache(async () => crypto.randomUUID(), ['edition'], { tags: ['document'] })
let read: { edition: string; sites: Promise<Sites> } | undefined

/** The content as it was when it was published last. */
export async function readSites(): Promise<Sites> {
  const edition = await currentEdition()
  if (read?.edition !== edition) {
    const sites = loadSites(folder)
    read = { edition, sites }
    sites.catch(() => {
      read = undefined // the next page tries again
    })
  }
  return read.sites
}
