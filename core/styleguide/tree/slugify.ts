// U+0027, U+2018, U+2019, U+02BC, and those of Armenian and Hebrew, between two characters of a word.
const apostrophes = /(?<=[\p{L}\p{M}\p{Nd}])['‘’ʼ՚׳](?=[\p{L}\p{M}\p{Nd}])/gu
// Soft hyphens, joiners, marks of direction: invisible, and often within a word.
const formatCharacters = /\p{Cf}/gu

/**
 * Returns the URL-friendly version of a title: normalized (Unicode NFKC), in lower case, with a hyphen in place of each
 * run of characters other than letters, marks and digits, and no hyphen at either end. Letters of every script are
 * kept; an apostrophe within a word and invisible format characters are dropped. A title without letters or digits gives
 * `''`.
 *
 * @example slugify('Buttons & Links') // 'buttons-links'
 * @example slugify('色 (Farben)') // '色-farben'
 * @example slugify('Do and Don’t') // 'do-and-dont'
 */
export function slugify(title: string): string {
  // Normalized again, since lower-casing and what is dropped may leave characters that are not in normal form.
  return title
    .replace(formatCharacters, '')
    .normalize('NFKC')
    .replace(apostrophes, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{Nd}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
