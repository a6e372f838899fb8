import { LanguageSwitch as Switch } from 'sitewright/react/localized-pages'
import { routes } from '../content/languages.ts'
import type { Page } from '../routes.ts'

/** Links to the same page in each language. The front page remembers the choice. */
export function LanguageSwitch({ page: { localized, site } }: { page: Page }) {
  const links = routes.languageLinks(localized)
  return <Switch className="language-switch" links={links} aria-label={site.labels.languages} remember />
}
