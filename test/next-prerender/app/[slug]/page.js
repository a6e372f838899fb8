import { notFound } from 'next/navigation.js'
import { render } from '../content.js'

export const generateStaticParams = () => [{ slug: 'about' }, { slug: 'contact' }]

/** @param {{ params: Promise<{ slug: string }> }} props */
export default async function Page({ params }) {
  const { slug } = await params
  const text = await render(slug)
  if (slug.startsWith('missing') || text === 'removed') notFound()
  return <p>{text}</p>
}
