import type * as React from 'react'
import { svgFill } from '../../../core/styleguide/internal.js'

interface PaintedProps {
  /** The color of the text: any CSS color. */
  text: string
  ground?: string | undefined
  /** Phrasing content, as the child of a `span`. */
  children: React.ReactNode
}

/**
 * Text in the colors of a palette. The attributes of an SVG may have these colors where a Content-Security-Policy forbids
 * inline styles, but an SVG does not grow with its text. So the text is there twice: transparent, for its size and for
 * screen readers, and painted above itself. Without a ground, its letters may be taller than their line.
 */
export function Painted({ text, ground, children }: PaintedProps) {
  const [color, overflow] = [svgFill({ name: '', value: text }), ground ? undefined : 'visible']
  return (
    <span className="sw-painted">
      <span>{children}</span>
      <svg className="sw-bands" overflow={overflow} fill="none" color={color} aria-hidden="true">
        {ground && <Ground value={ground} />}
        <foreignObject width="100%" height="100%" overflow={overflow}>
          <span>{children}</span>
        </foreignObject>
      </svg>
    </span>
  )
}

interface SampleProps {
  text: string
  ground?: string | undefined
  /** Whether the text is crossed out, in the color around it. */
  isStruck?: boolean
  isUnderlined?: boolean
}

/** `Aa` in a text color, on its ground. */
export function Sample({ text, ground, isStruck = false, isUnderlined = false }: SampleProps) {
  return (
    <svg className="sw-sample sw-bands" fill="none" aria-hidden="true">
      {ground && <Ground value={ground} />}
      <text
        x="22"
        y="20"
        fill={svgFill({ name: '', value: text })}
        textDecoration={isUnderlined ? 'underline' : 'none'}
      >
        Aa
      </text>
      {isStruck && <path d="M8 21L36 7" stroke="currentColor" strokeWidth="2" />}
    </svg>
  )
}

function Ground({ value }: { value: string }) {
  return <rect width="100%" height="100%" color={value} fill={svgFill({ name: '', value })} />
}
