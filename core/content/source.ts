/** An answer of a CMS that the site has read. */
export interface ContentAnswer {
  /** URL of the request, absolute. */
  url: string
  headers: Headers
  /** The parsed body; `undefined` if it is not JSON. */
  json: unknown
}

/**
 * A content source: names its entries by the same tags in the answers that the site reads and in the payloads of its webhooks. An
 * entry has a tag of its own, and each type has one, which is that of all lists of the type.
 */
export interface ContentSource {
  /**
   * Returns the tags of an answer: those of the entries in it and, for a query, those of the types that it lists, so that a new entry
   * reaches the list. An empty list if the answer is not of this source.
   */
  tagsOfAnswer(answer: ContentAnswer): readonly string[]
  /**
   * Returns the tags that a webhook's payload makes old: the entry's and its type's. `undefined` for a payload that it does not know,
   * for which all pages are purged. A body that is not JSON is given as `{}`.
   */
  tagsOfPayload(payload: unknown): readonly string[] | undefined
}
