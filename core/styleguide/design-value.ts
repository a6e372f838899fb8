/** A value of a style configuration that is no color: a font family, a size, a breakpoint. */
export interface DesignValue {
  /** As the configuration calls it: `'sm'`. */
  name: string
  /** As CSS would write it: `'0.875rem'`. */
  value: string
}

/** The typography of a style configuration, each list in its order. */
export interface Typography {
  families?: readonly DesignValue[] | undefined
  /** Font sizes. */
  sizes?: readonly DesignValue[] | undefined
  weights?: readonly DesignValue[] | undefined
  lineHeights?: readonly DesignValue[] | undefined
  letterSpacings?: readonly DesignValue[] | undefined
}
