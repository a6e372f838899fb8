import * as React from 'react'
import type { ChartedBreakpoint, ChartedSize } from '../../../core/spacing/index.js'
import { formatPixels } from '../../../core/styleguide/index.js'
import { PageSection } from './page-section.js'

interface RoomProps {
  length: string | undefined
  /** Whether it is there to keep its place only. */
  blank?: boolean
}

/** Room of a length: the height of an SVG whose font size it is, since font sizes take every CSS length. */
function Room({ length, blank = false }: RoomProps) {
  if (!length) return null
  return (
    <svg display="block" width="100%" height="1em" fontSize={length} aria-hidden="true">
      {!blank && <rect width="100%" height="100%" fill="var(--sw-accent)" fillOpacity="0.25" />}
    </svg>
  )
}

interface SceneProps {
  kind: 'margin' | 'padding'
  top?: string | undefined
  bottom?: string | undefined
  /** What to leave free where there is no room, so that elements beside each other are level. */
  blank?: string | undefined
  children: React.ReactNode
}

/** An element with its room outside or within. */
function Scene({ kind, top, bottom, blank, children }: SceneProps) {
  const isWithin = kind === 'padding'
  return (
    <div>
      <p className="sw-small">{children}</p>
      <div className="sw-figure">
        {!top && <Room length={blank} blank />}
        {!isWithin && <Room length={top} />}
        <div className="sw-element">
          {isWithin && <Room length={top} />}
          <svg display="block" width="100%" height="36" aria-hidden="true">
            <rect x="12" y="14" width="50%" height="8" rx="4" fill="var(--sw-muted)" fillOpacity="0.4" />
          </svg>
          {isWithin && <Room length={bottom} />}
        </div>
        {!isWithin && <Room length={bottom} />}
        {!bottom && <Room length={blank} blank />}
      </div>
    </div>
  )
}

interface SpacingFiguresProps {
  size: ChartedSize
  prop: ChartedBreakpoint | undefined
  length: string
}

/** The three sizes that a length makes, as margin and as padding. */
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
          <Scene key={kind + name} kind={kind} top={top} bottom={bottom} blank={length}>
            <code>
              {prop?.[kind]}=<br />
              <Breakable>{`"${name}"`}</Breakable>
            </code>
          </Scene>
        )),
      )}
    </div>
  )
}

/** A name that may break before its capitals. */
function Breakable({ children }: { children: string }) {
  return children.split(/(?=[A-Z])/).map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words may come twice
    <React.Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </React.Fragment>
  ))
}

interface SpacingCascadeProps {
  /** From the shortest to the longest. */
  sizes: readonly ChartedSize[]
  breakpoints: readonly ChartedBreakpoint[]
  lengthOf: (size: ChartedSize) => string
}

/** One element at every breakpoint: a wider one overrides the side that it names, and no other. */
export function SpacingCascade({ sizes, breakpoints, lengthOf }: SpacingCascadeProps): React.ReactElement | null {
  const from = Math.floor(breakpoints.length / 3)
  const [first, wider] = [breakpoints[0], breakpoints[from]]
  const [short, long] = [sizes[0], sizes.at(-1)]
  if (!first || !wider || first === wider || !short || !long || short === long) return null
  return (
    <PageSection title="Breakpoints">
      <p className="sw-small">
        A prop holds from its breakpoint on, until a wider one says otherwise about the same side. With{' '}
        <code>
          {first.margin}="{long.name}" {wider.margin}="{short.top}"
        </code>{' '}
        the top is short from {wider.width} on, and the bottom stays long.
      </p>
      <div className="sw-figures">
        {breakpoints.map(({ name, width }, index) => (
          <Scene key={name} kind="margin" top={lengthOf(index < from ? long : short)} bottom={lengthOf(long)}>
            <strong>{name}</strong>
            <br />
            {windowsOf(width)}
          </Scene>
        ))}
      </div>
    </PageSection>
  )
}

/** In words: `'from 48rem, 768 px'`. */
function windowsOf(width: string): string {
  if (width === '0') return 'every window'
  const pixels = formatPixels(width)
  return pixels && !width.endsWith('px') ? `from ${width}, ${pixels}` : `from ${width}`
}
