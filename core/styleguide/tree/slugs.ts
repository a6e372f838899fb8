// U+0027, U+2018, U+2019, U+02BC, and the Armenian and Hebrew apostrophes, between two characters of a word.
const apostrophes = /(?<=[\p{L}\p{M}\p{Nd}\p{Nl}])['‘’ʼ՚׳](?=[\p{L}\p{M}\p{Nd}\p{Nl}])/gu
// Soft hyphens, joiners, direction marks and variation selectors, which are invisible and often within a word.
const formatCharacters = /\p{Cf}|\p{Variation_Selector}/gu

/**
 * Returns the URL-friendly version of a title: normalized (Unicode NFKC) and in lower case. A hyphen replaces each run
 * of characters other than letters, marks and digits; there is no hyphen at either end. Letters of every script are
 * kept. Apostrophes within a word and invisible format characters are dropped. A title without letters or digits gives
 * `''`.
 *
 * @example slugify('Buttons & Links') // 'buttons-links'
 * @example slugify('色 (Farben)') // '色-farben'
 * @example slugify('Do and Don’t') // 'do-and-dont'
 */
export function slugify(title: string): string {
  // Normalized again, since lower-casing and dropping characters may leave text that is not in normal form.
  return title
    .replace(formatCharacters, '')
    .normalize('NFKC')
    .replace(apostrophes, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Nl}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

/**
 * Creates a function that returns a unique slug for each text of one page. A repeated slug gets a suffix: `-2`, `-3`.
 *
 * @param fallback Slug of a text without letters or digits. Default: `''`, then `-2`.
 * @example
 * const uniqueSlug = createUniqueSlugs()
 * ;[uniqueSlug('Red'), uniqueSlug('Red'), uniqueSlug('red!')] // ['red', 'red-2', 'red-3']
 */
export function createUniqueSlugs(fallback = ''): (text: string) => string {
  // The highest suffix tried so far for each slug, so that a thousand equal texts take linear time.
  const taken = new Map<string, number>()
  return (text) => {
    const slug = slugify(text) || fallback
    let count = taken.get(slug) ?? 1
    let unique = slug
    while (taken.has(unique)) unique = `${slug}-${++count}`
    taken.set(slug, count)
    if (unique !== slug) taken.set(unique, 1)
    return unique
  }
}
