/** A value of a style configuration other than a color: a font family, a size, a breakpoint. */
export interface DesignValue {
  /** Name in the configuration: `'sm'`. */
  name: string
  /** CSS value: `'0.875rem'`. */
  value: string
}

/** A font size. */
export interface FontSize extends DesignValue {
  /** The line height that the configuration pairs with it: `'1.25rem'`, `'1.5'`. */
  lineHeight?: string | undefined
}

/** The typography of a style configuration, each list in the order of the configuration. */
export interface Typography {
  families?: readonly DesignValue[] | undefined
  /** Font sizes. */
  sizes?: readonly FontSize[] | undefined
  weights?: readonly DesignValue[] | undefined
  lineHeights?: readonly DesignValue[] | undefined
  letterSpacings?: readonly DesignValue[] | undefined
}

/** Returns a configuration's value as CSS; `undefined` for anything but a non-empty string or a finite number. */
export function cssText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? value.trim() || undefined : undefined
}
