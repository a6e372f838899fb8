import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createUniqueSlugs, slugify } from './slugs.js'

describe('slugify', () => {
  it.each([
    ['Colors', 'colors'],
    ['Buttons & Links', 'buttons-links'],
    ['  Type — 2nd edition!  ', 'type-2nd-edition'],
    ['a_b.c/d\\e', 'a-b-c-d-e'],
    ['Überschriften', 'überschriften'],
    ['Cafe\u0301', 'café'],
    ['色彩とタイポグラフィ', '色彩とタイポグラフィ'],
    ['Ｆｕｌｌ　Ｗｉｄｔｈ', 'full-width'],
    ['ﬁle №5', 'file-no5'],
    ['हिन्दी', 'हिन्दी'],
    ['أزرار', 'أزرار'],
    ['İstanbul', 'i̇stanbul'],
    ['١٢٣', '١٢٣'],
    ['Don’t', 'dont'],
    ["Editor's guide", 'editors-guide'],
    ['L’été d‘Oʻahu', 'lété-doʻahu'],
    ['Ｄｏｎ＇ｔ', 'dont'],
    ['צ׳ק', 'צק'],
    // Ukrainian is written with either apostrophe.
    ['Сім’я', 'сімя'],
    ['Сімʼя', 'сімя'],
    ["Rock 'n' roll, the dogs' “best”", 'rock-n-roll-the-dogs-best'],
    ["'Quoted'", 'quoted'],
    ["5' 3''", '5-3'],
    ['Donau\u00addampf\u200bschiff', 'donaudampfschiff'],
    ['می\u200cخواهم', 'میخواهم'],
    ['\ufeffdon\u2060’\u200dt\u200e', 'dont'],
    ['cafe\u200d\u0301', 'café'],
    ['\u00ad', ''],
    ['⚙️ Settings', 'settings'],
    ['Settings ⚙︎', 'settings'],
    ['❤️‍🔥', ''],
    ['二〇二四年', '二〇二四年'],
    ['Ⅳ', 'iv'],
    ['__proto__', 'proto'],
    ['..', ''],
    ['🎨', ''],
    ['\ud800', ''],
    ['', ''],
  ])('%j becomes %j', (title, slug) => expect(slugify(title)).toBe(slug))

  // Letters, marks, and characters that are dropped between letters.
  const unit = fc.constantFrom("'", '’', '\u00ad', '\u200d', '\u0301', '\u0323', '\u0345', 'a', '1', 'İ', 'ﬁ', ' ')
  const titles = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit }))

  it('slugify is idempotent', () => {
    fc.assert(fc.property(titles, (title) => void expect(slugify(slugify(title))).toBe(slugify(title))))
  })

  it('a slug contains only letters, marks, digits and single hyphens between them', () => {
    fc.assert(
      fc.property(
        titles,
        (title) => void expect(slugify(title)).toMatch(/^(?:[\p{L}\p{M}\p{Nd}\p{Nl}]+(?:-(?!$))?)*$/u),
      ),
    )
  })

  it('the slug is the same for every Unicode form of a title', () => {
    fc.assert(fc.property(titles, (title) => void expect(slugify(title.normalize('NFD'))).toBe(slugify(title))))
  })
})

it.each([
  [
    ['Red', 'Red', 'red!'],
    ['red', 'red-2', 'red-3'],
  ],
  [
    ['Red', 'Red 2', 'Red', 'Red'],
    ['red', 'red-2', 'red-3', 'red-4'],
  ],
  [
    ['Red 2', 'Red', 'Red', 'Red 2'],
    ['red-2', 'red', 'red-3', 'red-2-2'],
  ],
  [
    ['!', '?'],
    ['variant', 'variant-2'],
  ],
])('the unique slugs of %j are %j', (texts, slugs) => {
  expect(texts.map(createUniqueSlugs('variant'))).toEqual(slugs)
})
