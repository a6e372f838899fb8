import { routes } from '../../../routes'

interface Props {
  params: Promise<{ language: string; slug?: string[] }>
}

export async function generateMetadata({ params }: Props) {
  const { language, slug = [] } = await params
  const page = await routes.findBySlug(language, slug)
  const metadataBase = new URL('https://www.example.com')
  return { metadataBase, alternates: routes.alternates(page) }
}

// /en/about and /de/about, which visitors see as /about and /de/ueber-uns.
export const generateStaticParams = () => routes.staticParams([{ path: '/about' }])
