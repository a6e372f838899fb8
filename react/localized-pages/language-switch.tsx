import type * as React from 'react'
import type { Routes } from '../../core/localized-pages/index.js'

export interface LanguageSwitchProps extends Omit<React.ComponentProps<'nav'>, 'children'> {
  /** Links of the page, `routes.languageLinks(page)`. */
  links: readonly ReturnType<Routes['languageLinks']>[number][]
  /** The name of the links for screen readers, in the language of the page: `'Language'`. */
  'aria-label': string
  /**
   * Whether the choice is remembered: `routes.redirect` then stores it in a cookie, and uses it for paths without a
   * language. Each link then leads through one redirect. Default `false`.
   */
  remember?: boolean | undefined
}

/**
 * Renders links to a page in all languages, without client JavaScript. Each link shows the language's own name, such as
 * `Deutsch`, and the link of the current language has `aria-current`. Where the page is not translated, its link leads
 * to the nearest page above it, and has the attribute `data-untranslated`.
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

/** Returns a language's own name, which begins with a capital in a list: `'Português (Brasil)'`. */
function nativeName(language: string): string {
  const [first = '', ...others] = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return first.toLocaleUpperCase(language) + others.join('')
}
