/**
 * Returns media queries of which exactly one matches: one for each source, and one for no source. Each query excludes
 * the queries of earlier sources. The list is empty if a query cannot be negated, such as `print`. A browser without
 * the `not (…)` of Media Queries 4 matches no query.
 *
 * @see https://www.w3.org/TR/mediaqueries-4/#media-conditions
 * @example exclusiveMedia(['(max-width: 40rem)']) // ['((max-width: 40rem))', '(not ((max-width: 40rem)))']
 */
export function exclusiveMedia(media: readonly string[]): string[] {
  const conditions = media.map(conditionOf)
  if (!conditions.every((condition) => condition !== undefined)) return []
  const negations = conditions.map((condition) => `(not ${condition})`)
  return [...conditions, undefined].map((condition, index) =>
    [...(condition ? [condition] : []), ...negations.slice(0, index)].join(' and '),
  )
}

/**
 * Returns a list of media queries as one condition in parentheses. Drops media types, since images are preloaded on
 * screens.
 */
function conditionOf(media: string): string | undefined {
  const queries = media.split(',').map((query) =>
    query
      .trim()
      .replace(/^(?:only\s+)?(?:all|screen)\s+and\s+/i, '')
      .replace(/^not\s+(?:all|screen)\s+and\s+(.*)$/is, 'not ($1)'),
  )
  if (!queries.every((query) => /^(?:not\s*)?\(/i.test(query))) return undefined
  return queries.length === 1 ? `(${queries[0]})` : `(${queries.map((query) => `(${query})`).join(' or ')})`
}
