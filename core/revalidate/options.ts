/**
 * The tags, each once.
 *
 * @throws TypeError when there is none, or one is no text.
 */
export function parseTags(tags: readonly string[]): readonly string[] {
  if (!Array.isArray(tags) || tags.length === 0 || tags.some((tag) => typeof tag !== 'string' || !tag)) {
    throw new TypeError("tags: write a list of one or more names, such as ['document']")
  }
  return [...new Set(tags)]
}
