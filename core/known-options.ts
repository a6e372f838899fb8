import { checkOptions, optionError } from './option-error.js'

/** What an option is: on or off, which is checked, or anything else, which the function checks itself. */
export type OptionKind = 'boolean' | 'any'

type KindOf<Value> = [Value] extends [never] ? 'any' : [Value] extends [boolean] ? 'boolean' : 'any'

/** The options of a function by name. TypeScript checks that all are there, and each is of its kind. */
export type OptionKinds<Options> = {
  readonly [Name in keyof Options]-?: KindOf<NonNullable<Options[Name]>>
}

/**
 * Checks that a function got an object of its own options. A misspelt one would be ignored, and the default used in its place;
 * and `'false'`, as it comes from the environment, would be on.
 *
 * @param hint Where other options belong.
 * @throws TypeError for another name, with the one that was meant where one is near, and for a boolean that is none.
 * @returns The options.
 * @example checkKnownOptions({ maxByte: 1 }, { maxBytes: 'any', clock: 'any' })
 * // maxByte: expected one of the options maxBytes, clock, got an unknown one; did you mean maxBytes?
 */
export function checkKnownOptions<Options extends object>(
  options: Options,
  kinds: Readonly<Record<string, OptionKind>>,
  hint?: string,
): Options {
  for (const [name, value] of Object.entries(checkOptions(options))) {
    if (!Object.hasOwn(kinds, name)) throw unknownOption(name, Object.keys(kinds), hint)
    if (kinds[name] === 'boolean') checkBoolean(name, value)
  }
  return options
}

/**
 * Checks that an option is `true` or `false`, or missing.
 *
 * @throws TypeError that names the option otherwise.
 */
export function checkBoolean(option: string, value: unknown): void {
  if (value === undefined || typeof value === 'boolean') return
  const hint = typeof value === 'string' ? "from the environment, write process.env.NAME === 'true'" : undefined
  throw optionError(option, 'true or false', value, hint)
}

function unknownOption(name: string, known: readonly string[], hint: string | undefined): TypeError {
  const meant = known.find((each) => isNear(name, each))
  const advice = meant === undefined ? hint : `did you mean ${meant}?`
  const expected = `one of the options ${known.join(', ')}`
  return new TypeError(`${name}: expected ${expected}, got an unknown one${advice ? `; ${advice}` : ''}`)
}

/** Whether two names are the same but for case, the order of letters, or a third of them. */
function isNear(name: string, known: string): boolean {
  const maxDistance = Math.max(1, Math.floor(known.length / 3))
  // Computing the distance of a very long name would take long.
  if (Math.abs(name.length - known.length) > maxDistance) return false
  const [from, to] = [name.toLowerCase(), known.toLowerCase()]
  return sortLetters(from) === sortLetters(to) || distanceOf(from, to) <= maxDistance
}

const sortLetters = (name: string) => [...name].sort().join('')

/** The Levenshtein distance: how many letters to insert, remove or replace. */
function distanceOf(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (let column = 0; column < to.length; column++) {
      const replaced = (previous[column] as number) + (letter === to[column] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] as number) + 1, (current[column] as number) + 1))
    }
    previous = current
  }
  return previous.at(-1) as number
}
