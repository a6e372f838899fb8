import { formatKind, optionError, secretError } from './option-error.js'

/** Checks the value of one option. Throws a TypeError that names the option, or returns the value. */
export interface OptionCheck<Value = unknown> {
  (option: string, value: unknown): Value
  /** Whether the check is also called for a missing option. */
  readonly isRequired?: true
}

type AnyFunction = (...args: never) => unknown
type Checked<Value> = [Value] extends [never]
  ? unknown
  : [Value] extends [boolean]
    ? boolean
    : [Value] extends [number]
      ? number
      : [Value] extends [string]
        ? string
        : [Value] extends [AnyFunction]
          ? AnyFunction
          : unknown

/**
 * The checks of a function's options, by name. TypeScript ensures that no check is missing, and that each boolean,
 * number, string and function has a check of its type.
 */
export type OptionChecks<Options> = {
  readonly [Name in keyof Options]-?: OptionCheck<Checked<NonNullable<Options[Name]>>>
}

/**
 * Checks the options of a function: they are an object, each name is known, and each value has the right type. Without
 * the check, a misspelled option would be ignored and its default used instead.
 *
 * @param call An example call of the function, for the error when options are missing.
 * @param hint Where other options belong.
 * @throws TypeError for an unknown name, and for a value that its check rejects.
 * @returns The options.
 * @example checkKnownOptions({ maxByte: 1 }, { maxBytes: required(integer(1)) }, 'memoryStore({ maxBytes: 64 * 1024 ** 2 })')
 * // maxByte: expected one of the options maxBytes, got an unknown one
 */
export function checkKnownOptions<Options extends object>(
  options: Options,
  checks: Readonly<Record<string, OptionCheck>>,
  call: string,
  hint?: string,
): Options {
  const advice = `write ${call}`
  checkOptions(options, call.slice(0, call.indexOf('(')), advice)
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(checks, name))
  if (unknown !== undefined) {
    const expected = `one of the options ${Object.keys(checks).join(', ')}`
    // The caller passed another object, such as a store instead of the options that contain it.
    const isForeign = Object.entries(checks).some(([name, check]) => check.isRequired && !Object.hasOwn(options, name))
    const text = hint ?? (isForeign ? advice : undefined)
    throw new TypeError(`${unknown}: expected ${expected}, got an unknown one${text ? `; ${text}` : ''}`)
  }
  for (const [name, check] of Object.entries(checks)) {
    const value: unknown = options[name as keyof Options]
    if (value !== undefined) check(name, value)
    else if (check.isRequired) withAdvice(advice, () => check(name, value))
  }
  return options
}

function withAdvice(advice: string, check: () => unknown): void {
  try {
    check()
  } catch (error) {
    throw error instanceof TypeError ? new TypeError(`${error.message}; ${advice}`) : error
  }
}

/** An option that the function itself checks. */
export const unchecked: OptionCheck = (_, value) => value

/** Makes an option required. */
export const required = <Value>(check: OptionCheck<Value>): OptionCheck<Value> =>
  Object.assign((option: string, value: unknown) => check(option, value), { isRequired: true as const })

/** A whole number within bounds. */
export const integer =
  (min = 0, max?: number): OptionCheck<number> =>
  (option, value) =>
    checkInteger(option, value, min, max)

/** A finite number that is at least `min`. */
export const atLeast =
  (min: number, expected = `a number >= ${min}`): OptionCheck<number> =>
  (option, value) => {
    if (Number.isFinite(value) && (value as number) >= min) return value as number
    throw optionError(option, expected, value)
  }

/** A function, but none of the functions whose result is expected, such as `sharpService` for `sharpService()`. */
export const functionAs =
  (expected: string, uncalled: readonly string[] = []): OptionCheck<AnyFunction> =>
  (option, value) => {
    const callback = checkFunction(option, value, expected)
    if (!uncalled.includes(callback.name)) return callback
    throw new TypeError(`${option}: expected ${expected}, got ${callback.name} itself; call it`)
  }

/** One of the given strings. */
export const oneOf =
  (...values: readonly string[]): OptionCheck<string> =>
  (option, value) => {
    if (values.includes(value as string)) return value as string
    const quoted = values.map((text) => `'${text}'`)
    throw optionError(option, quoted.join(', ').replace(/, (?!.*, )/, ' or '), value)
  }

/** An object with a method, such as a store. */
export const withMethod =
  (method: string, expected: string, hint?: string): OptionCheck =>
  (option, value) => {
    const owner = value as Readonly<Record<string, unknown>> | null | undefined
    if (typeof owner?.[method] === 'function') return value
    throw optionError(option, expected, value, hint)
  }

/**
 * Creates a function that returns whether a name is in a list. In the list, a trailing `*` matches any ending.
 *
 * @throws TypeError that names the option if the list or a name in it is malformed.
 */
export function matchNames(option: string, names: readonly string[]): (name: string) => boolean {
  const isList = Array.isArray(names)
  const malformed = isList ? names.find((name) => typeof name !== 'string' || !/^[^\s*=&;#]+\*?$/.test(name)) : names
  if (!isList || malformed !== undefined)
    throw optionError(option, "a list of names, such as ['page', 'filter_*']", malformed)
  const exact = new Set(names)
  const stems = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1))
  return (name) => exact.has(name) || stems.some((stem) => name.startsWith(stem))
}

// Each of the checks below throws a TypeError that names the option, or returns the value.

/** Checks that an option is a whole number within bounds. */
export function checkInteger(option: string, value: unknown, min = 0, max = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return value as number
  const range = max === Number.MAX_SAFE_INTEGER ? `>= ${min}` : `from ${min} to ${max}`
  throw optionError(option, `a whole number ${range}`, value)
}

/**
 * Checks that a function got an options object. If it got a string, the error does not show it, because it may be a
 * token.
 *
 * @throws TypeError otherwise.
 * @returns The options.
 */
export function checkOptions<Options>(options: Options, option = 'options', hint?: string): Options {
  const isObject = typeof options === 'object' && options !== null
  if (isObject && !Array.isArray(options) && !(options instanceof Promise)) return options
  throw secretError(option, 'an object', formatKind(options), hint)
}

/** Checks that an option is an object and not a list. */
export function checkObject(option: string, value: unknown): unknown {
  return checkOptions(value, option)
}

/** Checks that an option is a function. */
export function checkFunction(
  option: string,
  value: unknown,
  expected = 'a function',
  hint?: string,
): (...args: never) => unknown {
  if (typeof value === 'function') return value as (...args: never) => unknown
  throw optionError(option, expected, value, hint)
}

/** Checks that an option is a string. */
export function checkString(option: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw optionError(option, 'a string', value)
}

/** Checks that an option is the origin of a URL. */
export function checkOrigin(option: string, value: unknown): string {
  if (typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value) return value
  throw optionError(option, "an origin such as 'https://www.example.com', without a slash at its end", value)
}

/** Like {@link checkString}, but for a secret. */
export function checkSecret(option: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw secretError(option, 'a string', typeof value)
}

/**
 * Checks that an option is `true` or `false`. The string `'false'` from the environment would count as true.
 */
export function checkBoolean(option: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const hint = typeof value === 'string' ? "from the environment, write process.env.NAME === 'true'" : undefined
  throw optionError(option, 'true or false', value, hint)
}
