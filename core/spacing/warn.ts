import { type CheckedScale, capitalize } from './scale.js'

// A CMS can send any number of wrong values; nobody reads more warnings than this.
const mostWarnings = 100

/** Creates a function that tells `warn` once of each distinct value that is no size. */
export function createWarnOnce(warn: (message: string) => void, { sizes }: CheckedScale) {
  const warned = new Set<string>()
  return (prop: string, value: unknown): void => {
    const shown = show(value)
    if (warned.has(shown) || warned.size >= mostWarnings) return
    warned.add(shown)
    const names = sizes.map(([name]) => name)
    const side = `'top${capitalize(names[0] ?? '')}'`
    warn(
      `${prop}: ${shown} is no size and was left out; write one of ${names.join(', ')}, or one side of it as ${side}`,
    )
  }
}

/** The value in few words. Its own toString is not called: a CMS may have sent anything. */
function show(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? `'${value.slice(0, 40)}…'` : `'${value}'`
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
