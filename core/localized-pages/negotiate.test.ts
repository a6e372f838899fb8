import { expect, it } from 'vitest'
import { canonicalLanguage, createNegotiation } from './negotiate.js'

const languages = ['en', 'de', 'pt-BR', 'zh-Hant', 'he']
const negotiate = (accept: string, site = languages) =>
  createNegotiation(site)(new Headers({ 'accept-language': accept }))

it.each<[string, string | undefined]>([
  ['de', 'de'],
  ['DE-at', 'de'],
  ['de_CH', 'de'],
  ['fr, de;q=0.5', 'de'],
  ['de;q=0.5, en;q=0.9', 'en'],
  ['de;q=0, en;q=0.1', 'en'],
  ['de;q=0', undefined],
  ['zh-Hant-TW', 'zh-Hant'],
  ['zh-TW', 'zh-Hant'],
  ['zh-Hant-x-private', 'zh-Hant'],
  ['de-u-co-phonebk', 'de'],
  ['pt-PT', 'pt-BR'],
  ['iw', 'he'],
  ['*', undefined],
  ['', undefined],
  ['fr', undefined],
  [';;;,,q=1,"', undefined],
  ['de;q=x', 'de'],
  ['\t de \t;\tq=0.8', 'de'],
])('Accept-Language %j selects the language %s', (accept, expected) => expect(negotiate(accept)).toBe(expected))

it.each<[string, string[], string]>([
  ['en-GB', ['en-US', 'en-GB'], 'en-GB'],
  ['en-AU', ['en', 'en-GB'], 'en-GB'],
  ['en-CA', ['en-GB', 'en'], 'en'],
  ['en-GB, en;q=0.9, de;q=0.5', ['de', 'en-US'], 'en-US'],
  ['zh', ['zh-Hant', 'zh-Hans'], 'zh-Hans'],
  ['zh-HK', ['zh-Hans', 'zh-Hant'], 'zh-Hant'],
  ['sr-Latn', ['en', 'sr'], 'sr'],
  ['en-US', ['en', 'en-US'], 'en-US'],
  // Related languages.
  ['nb-NO,nb;q=0.9', ['en', 'no'], 'no'],
  ['nn-NO,nn;q=0.9', ['en', 'nb'], 'nb'],
  ['no', ['en', 'nb'], 'nb'],
  ['da', ['en', 'nb'], 'nb'],
  ['gsw', ['en', 'de'], 'de'],
  ['sr-Latn', ['en', 'hr'], 'hr'],
  ['arz', ['en', 'ar'], 'ar'],
  ['yue', ['en', 'zh-Hant'], 'zh-Hant'],
  ['ca', ['en', 'es'], 'es'],
  ['hy', ['en', 'ru'], 'ru'],
  ['cs', ['en', 'sk'], 'sk'],
  ['id', ['en', 'ms'], 'ms'],
  // A related language is only taken before the visitor's next language if it is near.
  ['nb,en;q=0.9', ['en', 'no'], 'no'],
  ['ca,en;q=0.9', ['en', 'es'], 'en'],
  // Regions.
  ['es-AR', ['es-ES', 'es-419'], 'es-419'],
  ['es-AR,es;q=0.9', ['es-ES', 'es-MX'], 'es-MX'],
  ['es-AR', ['es-MX', 'es-419'], 'es-419'],
  ['es', ['es-419', 'es-ES'], 'es-ES'],
  ['es-GQ', ['es-419', 'es-ES'], 'es-ES'],
  ['pt-AO', ['pt-BR', 'pt-PT'], 'pt-PT'],
  ['ar-TN', ['ar-EG', 'ar-MA'], 'ar-MA'],
  ['zh-MO', ['zh-TW', 'zh-HK'], 'zh-HK'],
  // Scripts.
  ['sr-Cyrl', ['sr-Latn', 'en'], 'sr-Latn'],
  ['hi-Latn,en;q=0.9', ['hi', 'en'], 'en'],
  ['zh-TW', ['en', 'zh-Hans'], 'zh-Hans'],
])('Accept-Language %j selects from %o the language %s', (accept, site, expected) =>
  expect(negotiate(accept, site)).toBe(expected),
)

it.each([
  ['sv', ['en', 'no']],
  ['de', ['en', 'gsw']],
  ['sr', ['en', 'hr']],
  ['gu', ['en', 'hi']],
  ['en', ['de', 'fr']],
])('Accept-Language %j selects no language from %o', (accept, site) => expect(negotiate(accept, site)).toBeUndefined())

it('each language of a site selects itself, so that the cache and the page choose the same language', () => {
  const site = ['en', 'en-US', 'en-GB', 'zh', 'zh-Hant', 'zh-TW', 'pt-BR', 'pt', 'sr-Latn', 'sr', 'de-Latn', 'de', 'he']
  for (const languages of [site, [...site].reverse()]) {
    expect(site.map((language) => negotiate(language, languages))).toEqual(site)
  }
})

it.each([
  ['16 KB of languages', `${'fr-FR;q=0.1,'.repeat(1300)}de`, undefined],
  ['16 KB of garbage', '¶ñ;'.repeat(5000), undefined],
  ['16 KB of commas', `${','.repeat(16_000)}de`, undefined],
  ['one tag of 16 KB', `de-${'a-'.repeat(8000)}`, undefined],
])('Accept-Language with %s selects no language', (_, accept, expected) => expect(negotiate(accept)).toBe(expected))

it.each([
  ['PT_br', 'pt-BR'],
  ['ZH-hant-tw', 'zh-Hant-TW'],
  [' de ', 'de'],
  ['', ''],
  ['-', ''],
  [undefined, ''],
  [null, ''],
])('the canonical form of %j is %j', (tag, expected) => expect(canonicalLanguage(tag)).toBe(expected))
