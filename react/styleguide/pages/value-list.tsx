import type * as React from 'react'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { pixelsAt } from '../../../core/styleguide/internal.js'
import { Copy, PageSection } from './page-section.js'

interface ValueListProps<Value extends DesignValue> {
  /** Heading of the list. Without it, the list stands alone. */
  title?: string | undefined
  /**
   * Form of the list: `sw-bars` are lines, `sw-styles` texts beside their names; specimens stand above their names in
   * `sw-cells`, which are narrow, and in `sw-cards`. Default: `sw-cells`.
   */
  form?: string
  /** The most values in a row, on a wide and on a narrow screen. Default: the list has no rows. */
  most?: readonly [wide: number, narrow: number] | undefined
  values: readonly Value[]
  /** Describes a value, beside its name. */
  note: (value: Value) => React.ReactNode
  /** The specimen of a value. */
  children: (value: Value) => React.ReactNode
}

/** Lists values, each with its name, a note, the code to copy and its specimen. Renders nothing if there are none. */
export function ValueList<Value extends DesignValue>(props: ValueListProps<Value>) {
  const { title, form = 'sw-cells', most = [], values, note, children } = props
  if (values.length === 0) return null
  // All rows have as many columns, so that the specimens of one row can be compared with those of the next.
  const [wide, narrow] = most.map((count) => Math.ceil(values.length / Math.ceil(values.length / count)))
  const start = sharedStart(values)
  const list = (
    <ul className={wide ? `sw-even ${form}` : form}>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
        <li key={index} className={wide ? `sw-k${wide} sw-n${narrow}` : undefined}>
          <div className="sw-small">
            <strong>{value.name.slice(start)}</strong> <div>{note(value)}</div> <Copy text={codeOf(value)} />
          </div>
          {children(value)}
        </li>
      ))}
    </ul>
  )
  return title ? <PageSection title={title}>{list}</PageSection> : list
}

/** Returns the code for a value on the site: Tailwind's class, the custom property, or the value itself. */
export function codeOf({ value, source }: DesignValue): string {
  return source?.className ?? (source?.property ? `var(${source.property})` : value)
}

/**
 * Returns how many specimens have room beside each other in windows of 1280 and of 390 pixels, up to `wide` and `narrow`.
 *
 * @param em Width of a specimen, as a multiple of its length.
 */
export function fitting(values: readonly DesignValue[], em: number, wide: number, narrow: number): [number, number] {
  const inRoom = (room: number, width: number) => {
    const widest = Math.max(0, ...values.map(({ value }) => pixelsAt(value, width) ?? 0))
    return Math.max(1, Math.floor(room / (em * widest + 8)))
  }
  return [Math.min(wide, inRoom(920, 1280)), Math.min(narrow, inRoom(336, 390))]
}

/** Sorts values by their length in a window. Lengths that only a browser can resolve are last. */
export function sortByLength<Value extends { value: string }>(values: readonly Value[], width: number): Value[] {
  const pixelsOf = ({ value }: Value) => pixelsAt(value, width) ?? Number.MAX_VALUE
  return [...values].sort((a, b) => pixelsOf(a) - pixelsOf(b))
}

/** Returns the length of the prefix that all names have in common: 5 for `size-1` and `size-2`. */
function sharedStart(values: readonly DesignValue[]): number {
  const first = values[0]?.name ?? ''
  const start = startOfStep(first)
  const isShared = values.every(({ name }) => name.length > start && name.startsWith(first.slice(0, start)))
  return isShared && values.length > 1 ? start : 0
}

/** Returns where the last part of a name begins: 5 for `size-1`, 0 for `0.5`. */
export function startOfStep(name: string): number {
  const start = Math.max(name.lastIndexOf('-'), name.lastIndexOf('.')) + 1
  return /[a-z]/i.test(name.slice(0, start)) ? start : 0
}
