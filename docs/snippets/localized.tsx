import { localizedMetadata, localizedPage } from 'sitewright/localized-pages'

interface Props {
  params: Promise<{ slug?: string[] }>
}

const Page = async ({ params }: Props) => {
  const [language, ...path] = (await params).slug ?? []
  return <h1 lang={language}>{path.join(' / ')}</h1>
}
const generateMetadata = async ({ params }: Props) => ({
  title: (await params).slug?.join(' · '),
})

// The German page at /about gets the slug ['de', 'about'].
export const GermanPage = localizedPage(Page, 'de')
export const germanMetadata = localizedMetadata(generateMetadata, 'de')
