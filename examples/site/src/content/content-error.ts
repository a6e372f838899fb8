/** A mistake in the content. The message is for its author: file, field, and what was expected. */
export class ContentError extends Error {
  override name = 'ContentError'

  constructor(file: string, field: string, expected: string) {
    super(`${file}: ${field}: ${expected}`)
  }
}
