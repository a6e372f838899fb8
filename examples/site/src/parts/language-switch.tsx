import { languages } from '../content/site.ts'
import { type Page, pagePath } from '../routes.ts'

const names = { en: 'English', de: 'Deutsch' }

/** Links to the same page in each language. */
export function LanguageSwitch({ page }: { page: Page }) {
  const { language: current, labels } = page.site
  return (
    <nav className="language-switch" aria-label={labels.languages}>
      {languages.map((language) => (
        <a
          key={language}
          href={pagePath(language, page.path)}
          hrefLang={language}
          lang={language}
          aria-current={language === current ? 'true' : undefined}
          aria-label={`${language}, ${names[language]}`}
        >
          {language}
        </a>
      ))}
    </nav>
  )
}
