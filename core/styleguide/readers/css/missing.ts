import type { Stylesheet } from './stylesheet.js'

/**
 * Returns the error for a stylesheet without any custom property with the prefix, which says what is there instead;
 * `undefined` for one that has some, or that has nothing to read.
 */
export function describeMissing(css: string, stylesheet: Stylesheet, prefix: string): TypeError | undefined {
  const { root, modes, elsewhere } = stylesheet
  const expected = `custom properties named ${prefix}… at :root or in a theme`
  if (css.includes('\0')) return missingError(expected, 'text with NUL characters', 'decode a file in UTF-16 as such')
  const found = [root, ...modes.values()].flat()
  if (found.some(([name]) => name.startsWith(prefix))) return undefined
  if (found[0]) {
    return missingError(
      expected,
      `${found.length} others, such as ${found[0][0]}`,
      "name theirs by the option 'prefix'",
    )
  }
  if (elsewhere.first) {
    const { property, selector } = elsewhere.first
    const got = `${elsewhere.count} elsewhere, such as ${property} in '${selector.slice(0, 100)}'`
    return missingError(expected, got, "name their selectors by the option 'selectors' or 'modes'")
  }
  const imported = /@import\s[^;]{1,200}/i.exec(css)?.[0]
  return imported ? missingError(expected, imported, 'pass the imported stylesheets themselves') : undefined
}

function missingError(expected: string, got: string, hint: string): TypeError {
  return new TypeError(`css: expected ${expected}, got ${got}; ${hint}`)
}
