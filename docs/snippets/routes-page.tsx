import type { LocalizedPage } from 'sitewright/localized-pages'
import { LanguageSwitch } from 'sitewright/react/localized-pages'
import { routes } from './routes.js'

export function Document({ page }: { page: LocalizedPage<'en' | 'de'> }) {
  return (
    <html {...routes.html(page.language)}>
      <head>
        {routes.links(page, 'https://www.example.com').map((link) => (
          <link key={link.hrefLang ?? link.rel} {...link} />
        ))}
      </head>
      <body>
        <LanguageSwitch links={routes.languageLinks(page)} aria-label="Language" />
      </body>
    </html>
  )
}
