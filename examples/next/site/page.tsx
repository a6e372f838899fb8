import { findPage, PageBody } from '@sitewright/example-site'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { readSites } from './content'
import { Picture } from './picture'

interface Props {
  params: Promise<{ slug?: string[] }>
}

/** Renders any page. The slug begins with the language. */
export async function Page({ params }: Props) {
  const { slug = [] } = await params
  const page = findPage(await readSites(), slug) ?? notFound()
  return <PageBody page={page} Picture={Picture} />
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { slug = [] } = await params
  const page = findPage(await readSites(), slug)
  return page ? { title: `${page.title} – ${page.site.name}`, description: page.summary } : {}
}
