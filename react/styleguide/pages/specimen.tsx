import type * as React from 'react'

interface SpecimenProps {
  family?: string | undefined
  size?: string | undefined
  weight?: string | undefined
  letterSpacing?: string | undefined
  /** How many lines of text there are. Default 1. */
  lines?: number
  children: React.ReactNode
}

/**
 * Text set in any family, size, weight and letter spacing: attributes of an SVG, which no Content-Security-Policy counts
 * as a style, and the HTML within inherits. A value that the browser does not know counts as absent.
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
  /** Height of a line of text of 1rem, as a length. */
  lineLength: string
  family?: string | undefined
  lines: number
  children: React.ReactNode
}

/**
 * A paragraph of so many lines at any line height. No attribute sets one; so the SVG's font size is as large as a line,
 * and the stylesheet makes it the line height of what is within.
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
