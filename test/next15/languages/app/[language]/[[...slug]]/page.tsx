import Image from 'next/image'
import { notFound } from 'next/navigation'
import { routes } from '../../../routes'

interface Props {
  params: Promise<{ language: string; slug?: string[] }>
}

async function find({ params }: Props) {
  const { language, slug = [] } = await params
  return routes.findBySlug(language, slug)
}

export async function generateMetadata(props: Props) {
  const page = await find(props)
  return { metadataBase: new URL('https://www.example.com'), alternates: routes.alternates(page) }
}

export const generateStaticParams = () => routes.staticParams([{ path: '/about' }, { path: '/articles/house-cat' }])

export default async function Page(props: Props) {
  const { route, slug } = await find(props)
  if (!route) notFound()
  return (
    <main>
      <h1>{slug.join('/') || 'home'}</h1>
      <Image src="/media/cat.jpg" width={640} height={480} alt="A cat" quality={50} />
    </main>
  )
}
