import { pathTo } from '../content/languages.ts'
import type { Page } from '../routes.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { SiteName } from './site-name.tsx'

export function Masthead({ page }: { page: Page }) {
  const { language, name, labels } = page.site
  const links = [
    { path: '/articles', label: labels.articles, isWithin: page.kind === 'article' },
    { path: '/about', label: labels.about, isWithin: false },
  ] as const
  return (
    <header className="masthead">
      <nav className="masthead-links" aria-label={labels.menu}>
        {links.map(({ path, label, isWithin }) => (
          <a
            key={path}
            href={pathTo(path, language)}
            aria-current={page.localized.route === path ? 'page' : isWithin ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <a className="nameplate" href={pathTo('/', language)} aria-current={page.kind === 'home' ? 'page' : undefined}>
        <SiteName name={name} />
      </a>
      <LanguageSwitch page={page} />
    </header>
  )
}
