/**
 * Returns the URL-friendly version of a title: normalized (Unicode NFKC), in lower case, with a hyphen in place of each
 * run of characters other than letters, marks and digits, and no hyphen at either end. Letters of every script are kept.
 * A title without letters or digits gives `''`.
 *
 * @example slugify('Buttons & Links') // 'buttons-links'
 * @example slugify('色 (Farben)') // '色-farben'
 */
export function slugify(title: string): string {
  // Normalized again, since lower-casing may produce characters that are not in normal form.
  return title
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{Nd}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
