import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as tailwindcss from 'tailwindcss'
import { describeError } from '../../core/describe-error.js'
import { fromTailwindTheme, type LoadedTailwindTheme, type StyleColor } from '../../core/styleguide/index.js'
import { readDeclarations } from '../../core/styleguide/internal.js'
import { loadModule, loadStylesheet } from './load.js'

export interface Tailwind4Options {
  /** The file that the CSS is of; errors name it. Default `'styles.css'` in `base`. */
  from?: string | URL | undefined
  /** The folder from which `@import`, `@config` and `@plugin` are resolved. Default: that of `from`, else the current one. */
  base?: string | undefined
}

/**
 * Reads the colors of a site's own stylesheet for Tailwind 4, through the `tailwindcss` package: what `@theme` says in it
 * and in all that it imports, Tailwind's own palette included when it imports that. A color that stands for a custom
 * property of `:root` has its value. Takes a tenth of a second: call it once, when the server
 * starts or at build.
 *
 * @throws Error that names the file, and the place within it, for CSS that Tailwind cannot read.
 * @example
 * const colors = await fromTailwind4(await readFile('src/main.css', 'utf8'), { from: 'src/main.css' })
 */
export async function fromTailwind4(css: string, options?: Tailwind4Options): Promise<StyleColor[]> {
  return fromTailwindTheme(await readTailwind4Theme(css, options))
}

/**
 * Reads the whole theme of a site's own stylesheet for Tailwind 4, for `fromTailwindTheme`, `typographyFromTailwindTheme`
 * and `breakpointsFromTailwindTheme`. `@config` and `@plugin` run the code that they name.
 *
 * @throws Error that names the file, and the place within it, for CSS that Tailwind cannot read.
 * @example
 * const theme = await readTailwind4Theme(await readFile('src/main.css', 'utf8'), { from: 'src/main.css' })
 * const typography = typographyFromTailwindTheme(theme)
 */
export async function readTailwind4Theme(
  css: string,
  { from, base }: Tailwind4Options = {},
): Promise<LoadedTailwindTheme> {
  const file = from ? resolve(from instanceof URL ? fileURLToPath(from) : from) : resolve(base ?? '.', 'styles.css')
  const options = { from: file, base: resolve(base ?? dirname(file)), loadStylesheet, loadModule }
  const loadDesignSystem = designSystemLoader(tailwindcss)
  try {
    const { theme } = await loadDesignSystem(css, options)
    const compiled = await tailwindcss.compile(css, options)
    const { prefix } = theme
    return { prefix, entries: () => theme.entries(), rootProperties: readDeclarations(compiled.build([])) }
  } catch (error) {
    // Tailwind names the place of a syntax error, and no file for others.
    const reason = describeError(error)
    const isPlaced = error instanceof Error && error.name === 'CssSyntaxError'
    throw new Error(isPlaced ? reason : `${file}: ${reason}`, { cause: error })
  }
}

type Loader = typeof tailwindcss.__unstable__loadDesignSystem

/** Tailwind's reader of themes. Its name says that it may go; there is no other that knows all of `@theme`. */
export function designSystemLoader(tailwind: object): Loader {
  if ('__unstable__loadDesignSystem' in tailwind) return tailwind.__unstable__loadDesignSystem as Loader
  const { version } = createRequire(import.meta.url)('tailwindcss/package.json') as { version: string }
  throw new Error(
    `sitewright/tailwind: tailwindcss ${version} has no __unstable__loadDesignSystem; install a release of 4 that has it, such as 4.3`,
  )
}
