import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { loadSites, type Sites } from '@sitewright/example-site'
import { unstable_cache } from 'next/cache'

const folder = process.env.SITE_FOLDER || join(process.cwd(), '../site')

let cached: { edition: string; sites: Promise<Sites> } | undefined

/** Adds tags to the page that renders: Next.js gives it those of the data that it reads. */
export async function tagPage(tags: string[]): Promise<void> {
  await unstable_cache(async () => null, tags, { tags })()
}

/** Returns the content of the files. Pages stay as they are until one of their tags is purged. */
export async function readSites(): Promise<Sites> {
  await tagPage(['document'])
  const edition = await readEdition()
  if (cached?.edition !== edition) {
    const sites = loadSites(folder)
    cached = { edition, sites }
    sites.catch(() => {
      cached = undefined // the next page tries again
    })
  }
  return cached.sites
}

/** Returns a text that changes with each file, so that they are read again once something has changed. */
async function readEdition(): Promise<string> {
  const list = async (name: string) => {
    const entries = await readdir(join(folder, name), { recursive: true })
    return entries.map((entry) => join(folder, name, entry))
  }
  const paths = [...(await list('content')), ...(await list('media'))].sort()
  const times = paths.map(async (path) => `${path} ${(await stat(path)).mtimeMs}`)
  return (await Promise.all(times)).join()
}
