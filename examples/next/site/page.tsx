import { findPage, type Language, PageBody, pageMarkdown } from '@sitewright/example-site'
import { createCard } from '@sitewright/example-site/card'
import type { Metadata } from 'next'
import { unstable_cache } from 'next/cache'
import { notFound } from 'next/navigation'
import type { LocalizedPage } from 'sitewright/localized-pages'
import { readSites, tagPage } from './content'
import { fileTags } from './file-tags'
import { images } from './images'
import { Picture } from './picture'
import { origin, routes } from './routes'

// A page lives as long as the shortest-lived data that it reads. Next.js gives "not found" a year otherwise, and a CDN would
// keep it when the page has been published.
const limitLifetime = unstable_cache(async () => null, ['not-found'], { revalidate: 60 })

interface Props {
  params: Promise<{ slug?: string[] }>
}

/** Renders any page. The slug begins with the language. */
export async function Page({ params }: Props) {
  const page = await readPage(params)
  if (!page) {
    await limitLifetime()
    notFound()
  }
  return (
    <>
      {createCard(page, images, origin).map((meta) => (
        <meta key={meta.property} {...meta} />
      ))}
      <PageBody page={page} Picture={Picture} />
    </>
  )
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await readPage(params)
  if (!page) return {}
  return {
    metadataBase: new URL(origin),
    title: `${page.title} – ${page.site.name}`,
    description: page.summary,
    alternates: routes.alternates(page.localized),
  }
}

/** Returns the Markdown of a page, which is stored and purged as the page is. */
export async function readPageMarkdown(localized: LocalizedPage<Language>): Promise<Response | undefined> {
  const page = await readLocalizedPage(localized)
  if (!page) await limitLifetime()
  return page && new Response(pageMarkdown(page), { headers: { 'X-Content-Type-Options': 'nosniff' } })
}

async function readPage(params: Props['params']) {
  const { slug: [language = '', ...slug] = [] } = await params
  return readLocalizedPage(await routes.findBySlug(language, slug))
}

async function readLocalizedPage(localized: LocalizedPage<Language>) {
  const page = findPage(await readSites(), localized)
  if (page) await tagPage(fileTags(page))
  return page
}
