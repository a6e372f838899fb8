import { unstable_cache } from 'next/cache'
import { notFound } from 'next/navigation'
import { createImageComponent } from 'sitewright/react/image'
import { LanguageSwitch } from 'sitewright/react/localized-pages'
import { Spacing } from 'sitewright/react/spacing'
import { images } from '../../../images'
import { routes } from '../../../routes'

interface Props {
  params: Promise<{ language: string; slug?: string[] }>
}

const Image = createImageComponent(images.loader)
const readPage = async ({ params }: Props) => {
  const { language, slug = [] } = await params
  return routes.findBySlug(language, slug)
}

// Whatever reads your content, with the tag that the revalidation endpoint purges.
const readNews = unstable_cache(async () => `As of ${new Date().toISOString()}`, ['news'], {
  tags: ['document'],
})

export const generateStaticParams = () => routes.staticParams([{ path: '/about' }])
export const generateMetadata = async (props: Props) => ({
  metadataBase: new URL('https://www.example.com'),
  alternates: routes.alternates(await readPage(props)),
})

export default async function Page(props: Props) {
  const page = await readPage(props)
  if (!page.route) notFound()
  return (
    <>
      <LanguageSwitch links={routes.languageLinks(page)} aria-label="Language" />
      <Spacing as="main" marginXs="small" marginMd="large">
        <h1>{page.route}</h1>
        <p>{await readNews()}</p>
        <Image
          src="/media/black-canyon.jpg"
          alt="The Black Canyon"
          width={640}
          height={469}
        />
      </Spacing>
    </>
  )
}
