import type * as React from 'react'
import type { BreakpointDescription, SizeDescription } from '../../../core/spacing/internal.js'
import { formatPixels } from '../../../core/styleguide/internal.js'
import { Breakable, PageSection } from './page-section.js'

interface SpaceProps {
  length: string | undefined
  /** Whether the space is left blank. */
  isBlank?: boolean
}

/** Space of any CSS length: an SVG 1em high whose font size is the length. */
function Space({ length, isBlank = false }: SpaceProps) {
  if (!length) return null
  return (
    <svg display="block" width="100%" height="1em" fontSize={length} aria-hidden="true">
      {!isBlank && <rect width="100%" height="100%" fill="var(--sw-accent)" fillOpacity="0.25" />}
    </svg>
  )
}

interface FigureProps {
  kind: 'margin' | 'padding'
  top?: string | undefined
  bottom?: string | undefined
  /** Length that is left blank on a side without space, so that the elements of a row are aligned. */
  blank?: string | undefined
  children: React.ReactNode
}

/** An element with space outside (margin) or inside (padding). */
function Figure({ kind, top, bottom, blank, children }: FigureProps) {
  const isPadding = kind === 'padding'
  return (
    <div>
      <p className="sw-small">{children}</p>
      <div className="sw-figure">
        {!top && <Space length={blank} isBlank />}
        {!isPadding && <Space length={top} />}
        <div className="sw-element">
          {isPadding && <Space length={top} />}
          <svg display="block" width="100%" height="36" aria-hidden="true">
            <rect x="12" y="14" width="50%" height="8" rx="4" fill="var(--sw-muted)" fillOpacity="0.4" />
          </svg>
          {isPadding && <Space length={bottom} />}
        </div>
        {!isPadding && <Space length={bottom} />}
        {!bottom && <Space length={blank} isBlank />}
      </div>
    </div>
  )
}

interface SpacingFiguresProps {
  size: SizeDescription
  prop: BreakpointDescription | undefined
  length: string
}

/** The three sizes of one length (both sides, top, bottom), each as margin and as padding. */
export function SpacingFigures({ size, prop, length }: SpacingFiguresProps) {
  const cases = [
    [size.name, length, length],
    [size.top, length, undefined],
    [size.bottom, undefined, length],
  ] as const
  return (
    <div className="sw-figures">
      {(['margin', 'padding'] as const).flatMap((kind) =>
        cases.map(([name, top, bottom]) => (
          <Figure key={kind + name} kind={kind} top={top} bottom={bottom} blank={length}>
            <code>
              {prop?.[kind]}=<br />
              <Breakable>{`"${name}"`}</Breakable>
            </code>
          </Figure>
        )),
      )}
    </div>
  )
}

interface SpacingCascadeProps {
  /** In ascending order. */
  sizes: readonly SizeDescription[]
  breakpoints: readonly BreakpointDescription[]
  lengthOf: (size: SizeDescription) => string
}

/** One element at every breakpoint: a wider breakpoint overrides only the side that it names. */
export function SpacingCascade({ sizes, breakpoints, lengthOf }: SpacingCascadeProps): React.ReactElement | null {
  const from = Math.floor(breakpoints.length / 3)
  const [first, wider] = [breakpoints[0], breakpoints[from]]
  const [short, long] = [sizes[0], sizes.at(-1)]
  if (!first || !wider || first === wider || !short || !long || short === long) return null
  return (
    <PageSection title="Breakpoints">
      <p className="sw-small">
        A prop applies from its breakpoint up, until a wider one overrides the same side. With{' '}
        <code>
          {first.margin}="{long.name}" {wider.margin}="{short.top}"
        </code>{' '}
        the top is short from {wider.width} up, and the bottom stays long.
      </p>
      <div className="sw-figures">
        {breakpoints.map(({ name, width }, index) => (
          <Figure key={name} kind="margin" top={lengthOf(index < from ? long : short)} bottom={lengthOf(long)}>
            <strong>{name}</strong>
            <br />
            {describeWidths(width)}
          </Figure>
        ))}
      </div>
    </PageSection>
  )
}

/** Describes the window widths of a breakpoint: `'from 48rem, 768 px'`. */
function describeWidths(width: string): string {
  if (width === '0') return 'all widths'
  const pixels = formatPixels(width)
  return pixels && !width.endsWith('px') ? `from ${width}, ${pixels}` : `from ${width}`
}
