import { pathTo } from '../content/languages.ts'
import type { Page } from '../routes.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { SiteName } from './site-name.tsx'

export function Footer({ page }: { page: Page }) {
  const { language, name, tagline, labels } = page.site
  return (
    <footer className="footer">
      <div className="footer-name">
        <p className="nameplate">
          <SiteName name={name} />
        </p>
        <p>{tagline}</p>
      </div>
      <nav className="footer-links" aria-label={name}>
        <a href={pathTo('/articles', language)}>{labels.articles}</a>
        <a href={pathTo('/about', language)}>{labels.about}</a>
      </nav>
      <p className="footer-credits">{labels.credits}</p>
      <LanguageSwitch page={page} />
    </footer>
  )
}
