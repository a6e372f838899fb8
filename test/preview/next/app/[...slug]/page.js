import { notFound } from 'next/navigation'
import { getPreview } from 'sitewright/next'
import { preview, textFor } from '../../preview.js'

export const revalidate = 60
export const generateStaticParams = () => [{ slug: ['articles', 'boats'] }]

export default async ({ params }) => {
  const [draft, { slug }] = [await getPreview(preview), await params]
  if (slug[0] === 'not-published-yet' && !draft) notFound()
  return <p>{textFor(draft)}</p>
}
