import { slugify } from './slugify.js'

/**
 * Creates a function that returns a unique slug for each text of one page. A repeated slug gets the suffix `-2`, `-3`, …
 *
 * @param fallback Slug of a text without letters or digits. Default: `''`, then `-2`.
 * @example
 * const uniqueSlug = createUniqueSlugs()
 * ;[uniqueSlug('Red'), uniqueSlug('Red'), uniqueSlug('red!')] // ['red', 'red-2', 'red-3']
 */
export function createUniqueSlugs(fallback = ''): (text: string) => string {
  // By slug, the highest suffix tried so far, so that a thousand equal texts take linear time.
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
