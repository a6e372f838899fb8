/** A CDN did not confirm the purge of some tags. The message is for the log. */
export class PurgeError extends Error {
  override name = 'PurgeError'
  /** Name of the CDN. */
  readonly cdn: string
  /** All tags that were not purged, as they were passed. */
  readonly tags: readonly string[]

  constructor(cdn: string, { tags, total, reasons }: { tags: readonly string[]; total: number; reasons: Set<string> }) {
    const some = tags.slice(0, 10).map((tag) => JSON.stringify(tag.slice(0, 100)))
    const more = tags.length > some.length ? ` and ${tags.length - some.length} more` : ''
    // Of many calls, each may have failed with a text of its own.
    const causes = [...reasons].slice(0, 5).join('; ')
    super(`${cdn}: ${tags.length} of ${total} tags not purged (${some.join(', ')}${more}): ${causes}`)
    this.cdn = cdn
    this.tags = tags
  }
}
