import { cookiesOf, languageCookie } from '../http/cookies.js'
import { readWeights } from '../http/negotiation.js'

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
 * Returns the language for a request: the language in the cookie or else the best match for `Accept-Language`. Returns
 * `undefined` if no language of the site matches.
 */
export function negotiateLanguage(headers: Pick<Headers, 'get'>, languages: readonly string[]): string | undefined {
  const [, cookie = ''] = cookiesOf(headers).find(([name]) => name === languageCookie) ?? []
  const chosen = cookie.slice(languageCookie.length + 1)
  // The preferred language comes first (RFC 9110, section 12.5.4).
  const ranges = readWeights(headers.get('accept-language'), maxRanges).sort((a, b) => b.weight - a.weight)
  return lookUpLanguage([chosen, ...ranges.map(({ name }) => name)], languages)
}

/**
 * Returns the site's best language for a list of tags, by the lookup of RFC 4647 (section 3.4): it shortens a tag until
 * the site has it, as in `zh-Hant-TW`, `zh-Hant`, `zh`. A script that a tag leaves out is added, so that `zh-TW` is
 * `zh-Hant-TW`. Beyond the RFC, a shortened tag also matches the site's longer tags, the shortest first, so that
 * `pt-PT` gets `pt-BR`.
 */
function lookUpLanguage(ranges: readonly string[], languages: readonly string[]): string | undefined {
  const site = languages.map((language) => ({ language, fullTag: `${withScript(language)}-` }))
  site.sort((a, b) => a.language.length - b.language.length)
  for (const tag of ranges.map(canonicalLanguage).filter(Boolean)) {
    if (languages.includes(tag)) return tag
    for (let form = withScript(tag); form; form = form.slice(0, Math.max(0, form.lastIndexOf('-')))) {
      const match = site.find(({ fullTag }) => fullTag.startsWith(`${form}-`))
      if (match) return match.language
    }
  }
  return undefined
}

const withScript = (tag: string) => new Intl.Locale(tag).maximize().baseName

const rightToLeft = ['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']

/** Returns the direction of a language's usual script. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}
