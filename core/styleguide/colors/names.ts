/** The parts of a color's name that decide its place in the palette. */
export interface NameParts {
  /** The family: `sidebar` of `sidebar-primary-foreground`, `primary` of `on-primary`. */
  family: string
  /** All parts except the number at the end: `red` of `red-500`, `amber-a` of `amber-a3`. */
  stem: string
  /** The number at the end, as written: `500`, `a3`. */
  step: string | undefined
  segments: readonly string[]
}

// Words that say nothing about a color, and with which all names of a palette may begin.
const generic = /^(?:colou?rs?|palette|tokens?|theme|md|sys|ref|bs)$/i
/** Matches the end of a name for the same color in another notation: `primary-rgb` beside `primary`. */
export const otherNotation = /[-._](?:rgba?|hsla?|hex|oklch|channels?|values?)$/i
// Material's roles: `on` for the text on a color, and `fixed` for a color that is the same in both modes.
const roles = /^(?:on|fixed)$/i

/**
 * Returns the words with which all names begin and which name no family, with their separator: `'color.'`, or `''`.
 *
 * @example sharedPrefix(['color.red.500', 'color.ink']) // 'color.'
 */
export function sharedPrefix(names: readonly string[]): string {
  let prefix = ''
  for (;;) {
    const next = /^[^-._/\s]+[-._/\s]/.exec(names[0]?.slice(prefix.length) ?? '')?.[0]
    if (!next || !generic.test(next.slice(0, -1))) return prefix
    const longer = prefix + next
    if (!names.every((name) => name.startsWith(longer) && name.length > longer.length)) return prefix
    prefix = longer
  }
}

/**
 * Splits a name at `-`, `.`, `_`, `/` and spaces, and a number from the word before it.
 *
 * @example splitName('amberA3') // { family: 'amber', stem: 'amber-a', step: 'A3', segments: ['amber', 'A3'] }
 */
export function splitName(name: string): NameParts {
  const segments = name.split(/[-._/\s]+/).flatMap((segment) => splitRole(segment).flatMap(splitNumber))
  const last = segments.at(-1) ?? ''
  const step = segments.length > 1 && /^a?\d{1,4}$/i.test(last) ? last : undefined
  const words = step === undefined ? segments : segments.slice(0, -1)
  const stem = step !== undefined && /^a/i.test(step) ? [...words, 'a'] : words
  const family = words.find((word, index) => index === words.length - 1 || !roles.test(word)) ?? name
  return { family: family === 'foreground' ? 'background' : family, stem: stem.join('-'), step, segments }
}

/** Splits `onPrimary` into the words `on` and `primary`. */
function splitRole(segment: string): string[] {
  const [, role, rest = ''] = /^(on|inverse)([A-Z].*)$/.exec(segment) ?? []
  return role === undefined ? [segment] : [role, rest.charAt(0).toLowerCase() + rest.slice(1)]
}

function splitNumber(segment: string): string[] {
  const [, word, number] = /^([a-z]+?[a-z])(A?\d{1,4})$/i.exec(segment) ?? []
  return word && number ? [word, number] : [segment]
}
