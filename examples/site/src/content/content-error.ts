/** A mistake in the content, said to its author: which file, which field, what is expected. */
export class ContentError extends Error {
  override name = 'ContentError'

  constructor(file: string, field: string, expected: string) {
    super(`${file}: ${field}: ${expected}`)
  }
}
