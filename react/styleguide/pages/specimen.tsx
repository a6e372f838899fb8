import type * as React from 'react'

interface SpecimenProps {
  family?: string | undefined
  size?: string | undefined
  weight?: string | undefined
  letterSpacing?: string | undefined
  /** Number of lines of text. Default 1. */
  lines?: number
  children: React.ReactNode
}

/**
 * Text in any family, size, weight and letter spacing, set by attributes of an SVG, which are not styles to a
 * Content-Security-Policy and which the HTML inside inherits. A value that the browser does not know is ignored.
 */
export function Specimen({ family, size, weight, letterSpacing, lines = 1, children }: SpecimenProps) {
  return (
    <svg
      role="presentation"
      display="block"
      className="sw-specimen"
      width="100%"
      height={`${lines * 1.4}em`}
      fontFamily={family}
      fontSize={size}
      fontWeight={weight}
      letterSpacing={letterSpacing}
    >
      <foreignObject width="100%" height="100%">
        <div>{children}</div>
      </foreignObject>
    </svg>
  )
}

interface LeadingProps {
  /** Height of a line of text of 1rem, as a CSS length. */
  lineLength: string
  family?: string | undefined
  lines: number
  children: React.ReactNode
}

/**
 * A paragraph of the given number of lines at any line height. There is no SVG attribute for the line height, so the SVG's
 * font size is set to it, and the stylesheet uses that as the line height of the content.
 */
export function Leading({ lineLength, family, lines, children }: LeadingProps) {
  return (
    <svg
      role="presentation"
      display="block"
      className="sw-leading"
      width="100%"
      height={`${lines}em`}
      fontFamily={family}
      fontSize={lineLength}
    >
      <foreignObject width="100%" height="100%">
        <div>{children}</div>
      </foreignObject>
    </svg>
  )
}
