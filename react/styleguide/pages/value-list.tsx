import type * as React from 'react'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { pixelsAt } from '../../../core/styleguide/internal.js'
import { Copy, PageSection } from './page-section.js'

interface ValueListProps<Value extends DesignValue> {
  /** Heading of the list. Without it, the list stands alone. */
  title?: string | undefined
  /**
   * Form of the list: lines with their code in `sw-lines`, and without it in two columns in `sw-bars`; texts beside their
   * names in `sw-styles`; specimens above their names in `sw-cards`.
   */
  form: string
  /** The columns on a wide and on a narrow screen. The last row may be short, since all specimens have one size. Default: none. */
  columns?: readonly [wide: number, narrow: number] | undefined
  values: readonly Value[]
  /** Describes a value, beside its name. */
  note: (value: Value) => React.ReactNode
  /** The specimen of a value. */
  children: (value: Value) => React.ReactNode
}

/** Lists values, each with its name, a note, the code to copy and its specimen. Renders nothing if there are none. */
export function ValueList<Value extends DesignValue>(props: ValueListProps<Value>) {
  const { title, form, columns, values, note, children } = props
  if (values.length === 0) return null
  const place = columns && `sw-k${columns[0]} sw-n${columns[1]}`
  const start = sharedStart(values)
  const list = (
    <ul className={place ? `sw-even ${form}` : form}>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
        <li key={index} className={place}>
          <div className="sw-small">
            <strong>{value.name.slice(start) || value.name}</strong> <div>{note(value)}</div>{' '}
            {codeOf(value) !== '0' && <Copy text={codeOf(value)} />}
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

/** Counts values: `'1 shadow'`, `'2 shadows'`. */
export const count = ({ length }: readonly unknown[], noun: string) => `${length} ${noun}${length === 1 ? '' : 's'}`

/** Sorts values by their length in a window. Lengths that only a browser can resolve are last. */
export function sortByLength<Value extends { value: string }>(values: readonly Value[], width: number): Value[] {
  const pixelsOf = ({ value }: Value) => pixelsAt(value, width) ?? Number.MAX_VALUE
  return [...values].sort((a, b) => pixelsOf(a) - pixelsOf(b))
}

/** Returns the length of the prefix that all names have in common: 5 for `size-1`, `size-2` and `size`. */
function sharedStart(values: readonly DesignValue[]): number {
  const first = values[0]?.name ?? ''
  const start = startOfStep(first)
  const isShared = values.every(({ name }) => `${name}-`.startsWith(first.slice(0, start)))
  return isShared && values.length > 1 ? start : 0
}

/** Returns where the last part of a name begins: 5 for `size-1`, 0 for `0.5`. */
export function startOfStep(name: string): number {
  const start = Math.max(name.lastIndexOf('-'), name.lastIndexOf('.')) + 1
  return /[a-z]/i.test(name.slice(0, start)) ? start : 0
}
