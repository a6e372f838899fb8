import { cookiesOf, languageCookie } from '../http/cookies.js'
import { readWeights } from '../http/negotiation.js'
import { languageDistance } from './related-languages.js'

// Browsers send fewer than ten language ranges. The rest of a longer list is ignored.
const maxRanges = 50

/**
 * Writes a language tag in its canonical form (BCP 47): `PT_br` is `pt-BR`, and `iw` is `he`. Returns `''` for a
 * malformed tag.
 */
export function canonicalLanguage(tag: unknown): string {
  try {
    return new Intl.Locale(String(tag).slice(0, 100).trim().replaceAll('_', '-')).baseName
  } catch {
    return ''
  }
}

/**
 * Creates a function that returns the language for a request: the language in the cookie, or else the site's nearest
 * language to those of `Accept-Language` by CLDR's distance, as in ICU's LocaleMatcher. A site in `no` is for visitors who
 * want `nb`, and `pt-PT` gets `pt-BR`. The function returns `undefined` if no language of the site is near enough.
 */
export function createNegotiation(languages: readonly string[]) {
  const site = languages.map((language) => ({ language, locale: new Intl.Locale(language).maximize() }))
  site.sort((a, b) => rank(a.language) - rank(b.language))

  return (headers: Pick<Headers, 'get'>): string | undefined => {
    const [, cookie = ''] = cookiesOf(headers).find(([name]) => name === languageCookie) ?? []
    const chosen = cookie.slice(languageCookie.length + 1)
    // The preferred language comes first (RFC 9110, section 12.5.4).
    const ranges = readWeights(headers.get('accept-language'), maxRanges).sort((a, b) => b.weight - a.weight)
    let nearest: { language?: string; distance: number } = { distance: Number.POSITIVE_INFINITY }
    let penalty = 0
    for (const range of [chosen, ...ranges.map(({ name }) => name)]) {
      if (penalty >= nearest.distance) break
      const tag = canonicalLanguage(range)
      if (!tag) continue
      const wanted = new Intl.Locale(tag).maximize()
      const same = site.filter(({ language }) => language === tag)
      for (const { language, locale } of same.length > 0 ? same : site) {
        const distance = penalty + languageDistance(wanted, locale)
        if (distance < nearest.distance) nearest = { language, distance }
      }
      penalty += penaltyPerRange
    }
    return nearest.language
  }
}

// As in ICU's LocaleMatcher: the distance between American and British English.
const penaltyPerRange = 5

// Of two languages at the same distance, CLDR prefers these, and then the one with the shorter tag.
const preferred = ['en', 'en-GB', 'es', 'es-419', 'pt-BR', 'pt-PT']
const rank = (language: string) => (preferred.includes(language) ? 0 : language.length)

const rightToLeft = ['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']

/** Returns the direction of a language's usual script. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}
