import type { Typography } from '../../values/design-value.js'
import { collectTypography } from '../css/typography.js'
import { type TailwindTheme, themeProperties } from './theme.js'

/**
 * Reads the typography of a Tailwind 4 theme: the namespaces `--font-*`, `--text-*`, `--font-weight-*`, `--leading-*` and
 * `--tracking-*`.
 *
 * @example
 * typographyFromTailwindTheme({ '--text-sm': '0.875rem', '--text-sm--line-height': '1.4' })
 * // { sizes: [{ name: 'sm', value: '0.875rem', lineHeight: '1.4' }] }
 */
export function typographyFromTailwindTheme(theme: TailwindTheme): Typography {
  return collectTypography(themeProperties(theme))
}
