const maxGotLength = 100

/**
 * Creates the error for an option that makes no sense. Every such error of the package has this form:
 * `option: expected X, got Y`.
 *
 * @param expected What to write instead, in words.
 * @param got The value, which the message shows; of a URL neither user and password nor query. For a secret use
 *   {@link secretError}.
 * @param hint What helps besides, after a semicolon.
 * @example optionError('maxBytes', 'a whole number >= 1', -1).message // 'maxBytes: expected a whole number >= 1, got -1'
 */
export function optionError(option: string, expected: string, got: unknown, hint?: string): TypeError {
  return new TypeError(`${option}: expected ${expected}, got ${formatValue(got)}${hint ? `; ${hint}` : ''}`)
}

/**
 * As {@link optionError}, for a secret: errors end up in logs, so the value itself is never shown.
 *
 * @param got What is wrong with the value, in words.
 */
export function secretError(option: string, expected: string, got: string, hint?: string): TypeError {
  return new TypeError(`${option}: expected ${expected}, got ${got}${hint ? `; ${hint}` : ''}`)
}

/**
 * Returns a whole number within bounds.
 *
 * @throws TypeError that names the option otherwise.
 */
export function checkInteger(option: string, value: unknown, min = 0, max = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return value as number
  const range = max === Number.MAX_SAFE_INTEGER ? `>= ${min}` : `from ${min} to ${max}`
  throw optionError(option, `a whole number ${range}`, value)
}

/**
 * Checks that a function got an object of options. The error does not show a text in its place, which may be a token.
 *
 * @throws TypeError otherwise.
 * @returns The options.
 */
export function checkOptions<Options>(options: Options, option = 'options', hint?: string): Options {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return options
  throw secretError(option, 'an object', formatKind(options), hint)
}

/**
 * Checks that an option is an object, and no list.
 *
 * @throws TypeError that names the option otherwise.
 * @returns The object.
 */
export function checkObject(option: string, value: unknown): unknown {
  return checkOptions(value, option)
}

/**
 * Checks that an option is a function.
 *
 * @throws TypeError that names the option otherwise.
 * @returns The function.
 */
export function checkFunction(
  option: string,
  value: unknown,
  expected = 'a function',
  hint?: string,
): (...args: never) => unknown {
  if (typeof value === 'function') return value as (...args: never) => unknown
  throw optionError(option, expected, value, hint)
}

/**
 * Checks that an option is a string.
 *
 * @throws TypeError that names the option otherwise.
 * @returns The string.
 */
export function checkString(option: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw optionError(option, 'a string', value)
}

/** As {@link checkString}, for a secret. */
export function checkSecret(option: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw secretError(option, 'a string', typeof value)
}

/**
 * Checks that an option is `true` or `false`: `'false'`, as it comes from the environment, would be on.
 *
 * @throws TypeError that names the option otherwise.
 * @returns The boolean.
 */
export function checkBoolean(option: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const hint = typeof value === 'string' ? "from the environment, write process.env.NAME === 'true'" : undefined
  throw optionError(option, 'true or false', value, hint)
}

/** Formats a value for a message, without showing a text, since it may be a secret. */
export function formatKind(value: unknown): string {
  return typeof value === 'string' ? 'a string' : formatValue(value)
}

/** Formats a value for a message, without calling its own `toString`. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') {
    const shown = withoutCredentials(value)
    return `'${shown.length > maxGotLength ? `${shown.slice(0, maxGotLength)}…` : shown}'`
  }
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Cuts password and query out of a URL, also of a malformed one: up to the last `@`, since a password may have a slash. */
function withoutCredentials(text: string): string {
  const [start] = /^[^:@]*:(?:\/\/)?/.exec(text) ?? []
  if (start === undefined) return text
  const end = text.lastIndexOf('@')
  const shown = end < start.length ? text : `${start}…${text.slice(end)}`
  return shown.replace(/\?.+$/s, '?…')
}
