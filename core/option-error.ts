/**
 * Creates the error for an invalid option. Every such error of the package has this form: `option: expected X, got Y`.
 *
 * @param expected The right value, in words.
 * @param got The value, which the message shows; a URL is shown without its credentials and its query. For a secret,
 *   use {@link secretError}.
 * @param hint More advice, after a semicolon.
 * @example optionError('maxBytes', 'a whole number >= 1', -1).message // 'maxBytes: expected a whole number >= 1, got -1'
 */
export function optionError(option: string, expected: string, got: unknown, hint?: string): TypeError {
  return secretError(option, expected, formatValue(got), hint)
}

/**
 * Like {@link optionError}, but for a secret: the value itself is never shown, because errors end up in logs.
 *
 * @param got The mistake, in words.
 */
export function secretError(option: string, expected: string, got: string, hint?: string): TypeError {
  return new TypeError(`${option}: expected ${expected}, got ${got}${hint ? `; ${hint}` : ''}`)
}

/** Formats a value for a message. A string is not shown, because it may be a secret. */
export function formatKind(value: unknown): string {
  return typeof value === 'string' ? 'a string' : formatValue(value)
}

/** Formats a value for a message, without calling its own `toString`. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return `'${truncate(withoutCredentials(value), 100)}'`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'function') return 'a function'
  if (value instanceof Promise) return 'a promise that was not awaited'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Returns a text, or its first `max` characters and an ellipsis. */
export function truncate(text: string, max: number): string {
  // A character has at most two code units.
  const characters = [...text.slice(0, 2 * max + 2)]
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : text
}

/**
 * Removes the credentials and the query from a URL, even from a malformed one. Credentials are cut up to the last `@`,
 * because a password may contain a slash.
 */
function withoutCredentials(text: string): string {
  const [start] = /^[^:@]*:(?:\/\/)?/.exec(text) ?? []
  if (start === undefined) return text
  const end = text.lastIndexOf('@')
  const shown = end < start.length ? text : `${start}…${text.slice(end)}`
  return shown.replace(/\?.+$/s, '?…')
}
