/**
 * The URL-friendly version of a title: compatibility forms unified (Unicode NFKC), lower case, every run of what is no
 * letter, mark or digit one hyphen, and none at the ends. Letters of every script stay. A title without any gives `''`.
 *
 * @example slugify('Buttons & Links') // 'buttons-links'
 * @example slugify('色 (Farben)') // '色-farben'
 */
export function slugify(title: string): string {
  // A letter's lower case may be no longer in normal form.
  return title
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{Nd}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
