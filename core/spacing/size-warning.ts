import { formatValue } from '../option-error.js'
import { type CheckedScale, capitalize } from './scale.js'

// A CMS can send any number of invalid values; nobody reads more warnings than this.
const maxWarnings = 100

/** Creates a function that reports each distinct invalid size once. */
export function createSizeWarning(warn: (message: string) => void, { sizes }: CheckedScale) {
  const warned = new Set<string>()
  return (prop: string, value: unknown): void => {
    const got = formatValue(value)
    if (warned.has(got) || warned.size >= maxWarnings) return
    warned.add(got)
    const names = sizes.map(([name]) => name)
    const side = `'top${capitalize(names[0] ?? '')}'`
    warn(`${prop}: expected one of ${names.join(', ')}, or one side such as ${side}, got ${got}; prop ignored`)
  }
}
