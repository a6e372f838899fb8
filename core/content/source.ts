/** An answer of a CMS that the site has read. */
export interface ContentAnswer {
  /** URL of the request, absolute. */
  url: string
  headers: Headers
  /** The parsed body, or `undefined` if the body is not JSON. */
  json: unknown
}

/**
 * A content source. It names an entry by the same tag in the answers that the site reads and in the payloads of the
 * webhooks. Each entry has a tag of its own, and each type has a tag that all lists of the type share.
 */
export interface ContentSource {
  /**
   * Returns the tags of an answer: the tags of its entries and, for a query, the tags of the types that it lists, so
   * that a new entry also purges the list. Returns an empty list if the answer is from another source.
   */
  tagsOfAnswer(answer: ContentAnswer): readonly string[]
  /**
   * Returns the tags that a webhook's payload purges: the tag of the entry and the tag of its type. Returns `undefined`
   * for an unknown payload: if no source knows it, all pages are purged. A body that is not JSON is passed as `{}`.
   */
  tagsOfPayload(payload: unknown): readonly string[] | undefined
}
