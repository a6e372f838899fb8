/** A value of a style configuration that is no color: a font family, a size, a breakpoint. */
export interface DesignValue {
  /** As the configuration calls it: `'sm'`. */
  name: string
  /** As CSS would write it: `'0.875rem'`. */
  value: string
}

/** A font size. */
export interface FontSize extends DesignValue {
  /** The line height that the configuration pairs with it: `'1.25rem'`, `'1.5'`. */
  lineHeight?: string | undefined
}

/** The typography of a style configuration, each list in its order. */
export interface Typography {
  families?: readonly DesignValue[] | undefined
  /** Font sizes. */
  sizes?: readonly FontSize[] | undefined
  weights?: readonly DesignValue[] | undefined
  lineHeights?: readonly DesignValue[] | undefined
  letterSpacings?: readonly DesignValue[] | undefined
}

/** A configuration's value as CSS would write it; `undefined` for what is neither a text nor a number. */
export function cssText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? value.trim() || undefined : undefined
}
