import { slugify } from './slugify.js'

/**
 * Creates what makes slugs for one page: readable, and each once. A second one of the same text ends in `-2`.
 *
 * @param fallback Slug of a text that has none. Default: the empty text, then `-2`.
 * @example
 * const slugOf = createUniqueSlugs()
 * ;[slugOf('Red'), slugOf('Red'), slugOf('red!')] // ['red', 'red-2', 'red-3']
 */
export function createUniqueSlugs(fallback = ''): (text: string) => string {
  // By slug, the highest number that was tried: so that a thousand of one text cost no more than others.
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
