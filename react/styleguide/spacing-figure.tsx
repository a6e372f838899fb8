import type * as React from 'react'
import type { ChartedBreakpoint, ChartedSize } from '../../core/spacing/index.js'
import { PageSection } from './page-section.js'

/** Room of a length: the height of an SVG whose font size it is, since only font sizes take every CSS length. */
function Room({ length }: { length: string | undefined }) {
  return length && <svg className="sw-room" width="100%" height="1em" fontSize={length} aria-hidden="true" />
}

interface ElementProps {
  kind: 'margin' | 'padding'
  top?: string | undefined
  bottom?: string | undefined
  children: React.ReactNode
}

/** An element between its neighbors, with its room outside or within. */
function ElementFigure({ kind, top, bottom, children }: ElementProps) {
  const text = <div className="sw-line" />
  return (
    <figure className="sw-figure">
      <div className="sw-scene">
        {kind === 'margin' && <Room length={top} />}
        <div className="sw-element">
          {kind === 'padding' && <Room length={top} />}
          {text}
          {kind === 'padding' && <Room length={bottom} />}
        </div>
        {kind === 'margin' && <Room length={bottom} />}
      </div>
      <figcaption>{children}</figcaption>
    </figure>
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
          <ElementFigure key={kind + name} kind={kind} top={top} bottom={bottom}>
            <code>
              {prop?.[kind]}=<wbr />"{name}"
            </code>
          </ElementFigure>
        )),
      )}
    </div>
  )
}

interface SpacingCascadeProps {
  /** From the shortest to the longest. */
  sizes: readonly ChartedSize[]
  breakpoints: readonly ChartedBreakpoint[]
  lengthOf: (size: ChartedSize) => string
}

/** One element at every breakpoint: a wider one overrides the side that it names, and no other. */
export function SpacingCascade({ sizes, breakpoints, lengthOf }: SpacingCascadeProps): React.ReactElement | null {
  const from = Math.floor((breakpoints.length - 1) / 2)
  const [first, wider] = [breakpoints[0], breakpoints[from]]
  const [short, long] = [sizes[0], sizes.at(-2)]
  if (!first || !wider || first === wider || !short || !long || short === long) return null
  return (
    <PageSection title="Breakpoints">
      <p>
        A prop holds from its breakpoint on, until a wider one says otherwise about the same side. Here,{' '}
        <code>
          {first.margin}="{long.name}"
        </code>{' '}
        and{' '}
        <code>
          {wider.margin}="{short.top}"
        </code>
        : from {wider.width} on, the top is short, and the bottom stays long.
      </p>
      <div className="sw-figures">
        {breakpoints.map(({ name, width }, index) => (
          <ElementFigure
            key={name}
            kind="margin"
            top={lengthOf(index < from ? long : short)}
            bottom={lengthOf(long)}
          >
            <strong>{name}</strong> {width === '0' ? 'every window' : `from ${width}`}
          </ElementFigure>
        ))}
      </div>
    </PageSection>
  )
}
