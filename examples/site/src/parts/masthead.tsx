import { type Page, pagePath } from '../routes.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { SiteName } from './site-name.tsx'

export function Masthead({ page }: { page: Page }) {
  const { language, name, labels } = page.site
  const links = [
    { path: '/articles', label: labels.articles, isWithin: page.kind === 'article' },
    { path: '/about', label: labels.about, isWithin: false },
  ]
  return (
    <header className="masthead">
      <nav className="masthead-links" aria-label={labels.menu}>
        {links.map(({ path, label, isWithin }) => (
          <a
            key={path}
            href={pagePath(language, path)}
            aria-current={page.path === path ? 'page' : isWithin ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <a className="nameplate" href={pagePath(language, '/')} aria-current={page.kind === 'home' ? 'page' : undefined}>
        <SiteName name={name} />
      </a>
      <LanguageSwitch page={page} />
    </header>
  )
}
