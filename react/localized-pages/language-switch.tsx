import type * as React from 'react'
import type { Routes } from '../../core/localized-pages/index.js'

export interface LanguageSwitchProps extends Omit<React.ComponentProps<'nav'>, 'children'> {
  /** Links to the page in each language: `routes.languageLinks(page)`. */
  links: readonly ReturnType<Routes['languageLinks']>[number][]
  /** The name of the links for screen readers, in the language of the page: `'Language'`. */
  'aria-label': string
  /**
   * Whether to remember the choice. `routes.redirect` stores it in a cookie, and uses it for paths without a language,
   * so each link leads through one redirect. Default `false`.
   */
  remember?: boolean | undefined
}

/**
 * Renders links to a page in all languages, without client JavaScript. Each link shows the language's native name, such
 * as `Deutsch`, and the link of the current language has `aria-current`. If the page has no translation in a language,
 * the link leads to the nearest page above it, and has the attribute `data-untranslated`.
 *
 * @example <LanguageSwitch links={routes.languageLinks(page)} aria-label="Language" />
 */
export function LanguageSwitch({ links, remember = false, ...rest }: LanguageSwitchProps): React.ReactElement {
  return (
    <nav {...rest}>
      <ul>
        {links.map(({ language, href, isCurrent, isTranslated }) => (
          <li key={language}>
            <a
              href={remember ? `${href}?set-language=${language}` : href}
              lang={language}
              hrefLang={language}
              aria-current={isCurrent ? 'true' : undefined}
              data-untranslated={isTranslated ? undefined : ''}
            >
              {nativeName(language)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Returns a language's native name, with a capital as in lists: `'Português (Brasil)'`. */
function nativeName(language: string): string {
  const [first = '', ...rest] = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return first.toLocaleUpperCase(language) + rest.join('')
}
