import { LanguageSwitch } from 'sitewright/react/localized-pages'
import { routes } from '../../../../routes'

interface Props {
  params: Promise<{ language: string; slug?: string[] }>
}

export default async function Switch({ params }: Props) {
  const { language, slug = [] } = await params
  const page = await routes.findBySlug(language, slug)
  return <LanguageSwitch links={routes.languageLinks(page)} aria-label="Language" />
}
