import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as tailwindcss from 'tailwindcss'
import { describeError } from '../../core/log.js'
import type { Styles } from '../../core/styleguide/index.js'
import {
  checkStylesheet,
  fromTailwindTheme,
  readStylesheet,
  replaceCalls,
  type TailwindTheme,
} from '../../core/styleguide/internal.js'
import { createRequire } from '../node/create-require.js'
import { createStylesheetLoader, loadModule } from './load.js'

export interface Tailwind4Options {
  /** Path of the CSS file, which is named in errors. Default: `'styles.css'` in `base`. */
  from?: string | URL | undefined
  /**
   * Folder to resolve `@import`, `@config` and `@plugin` from. Default: the folder of `from`, else the current
   * directory.
   */
  base?: string | undefined
  /**
   * Whether to leave out Tailwind's default theme: the values of `@theme default`. Default `false`. The
   * values of the site come first in either case.
   */
  own?: boolean | undefined
}

/**
 * Reads the styles of a Tailwind 4 stylesheet with the `tailwindcss` package: the colors, typography and breakpoints
 * from `@theme` in the stylesheet and its imports, including Tailwind's own theme if it is imported. A color that
 * refers to a custom property of `:root` gets that property's value. The colors of a mode such as `.dark` are separate,
 * and have a `mode`. Runs the code of `@config` and `@plugin`. Takes about 0.1 s, so call it once, when the server
 * starts or at build time.
 *
 * @throws Error that names the file, line and column, for CSS that Tailwind cannot read.
 * @example
 * const { colors, typography } = await fromTailwind4(await readFile('src/main.css', 'utf8'), { from: 'src/main.css', own: true })
 */
export async function fromTailwind4(css: string, { from, base, own = false }: Tailwind4Options = {}): Promise<Styles> {
  if (css !== '') checkStylesheet(css)
  const file = from ? resolve(from instanceof URL ? fileURLToPath(from) : from) : resolve(base ?? '.', 'styles.css')
  const options = () => ({
    from: file,
    // The comment tells Turbopack not to trace the whole project, which it would do because it does not know the
    // folder.
    base: resolve(/* turbopackIgnore: true */ base ?? dirname(file)),
    loadStylesheet: createStylesheetLoader(),
    loadModule,
  })
  const loadDesignSystem = designSystemLoader(tailwindcss)
  try {
    const design = await loadDesignSystem(css, options())
    const compiled = await tailwindcss.compile(css, options())
    return fromTailwindTheme(withThemeCalls(design), readStylesheet(compiled.build([])), { own, css })
  } catch (error) {
    // Tailwind names the file, line and column in syntax errors, but no file in other errors.
    const reason = describeError(error)
    const hasLocation = error instanceof Error && error.name === 'CssSyntaxError'
    throw new Error(hasLocation ? reason : `${file}: ${reason}`, { cause: error })
  }
}

interface Design {
  theme: TailwindTheme
  resolveThemeValue(path: string, forceInline?: boolean): string | undefined
}

/**
 * Returns a theme whose `theme()` and `--theme()` calls are replaced with the values that they refer to. Tailwind
 * itself replaces the calls only in rules.
 */
function withThemeCalls({ theme, resolveThemeValue }: Design): TailwindTheme {
  const replace = (value: unknown) =>
    typeof value !== 'string'
      ? value
      : replaceCalls(value, /(?<![\w-])(?:--)?theme\(/gi, (path, fallback) => {
          return resolveThemeValue(path.replace(/\sinline$/, '').trimEnd(), true) ?? fallback
        })
  const entries = Array.from(
    theme.entries(),
    ([name, entry]) => [name, { ...entry, value: replace(entry.value) }] as const,
  )
  return { entries: () => entries, prefix: theme.prefix }
}

// These types are written out, because those of tailwindcss itself are not found under `"moduleResolution": "node10"`.
type Loader = (css: string, options: object) => Promise<Design>

/**
 * Returns Tailwind's function that reads themes. Its name marks it as unstable, but no stable function reads all of
 * `@theme`.
 *
 * @throws Error when the installed release does not have it.
 */
export function designSystemLoader(tailwind: object): Loader {
  if ('__unstable__loadDesignSystem' in tailwind) return tailwind.__unstable__loadDesignSystem as Loader
  const { version } = createRequire(import.meta.url)('tailwindcss/package.json') as { version: string }
  throw new Error(
    `sitewright/tailwind: tailwindcss ${version} has no __unstable__loadDesignSystem; install a release of 4 that has it, such as 4.3`,
  )
}
