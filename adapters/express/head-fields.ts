import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import type { HeadFields } from '../../core/cache/index.js'

type Line = [name: string, value: OutgoingHttpHeader]

/**
 * Gives access to the header fields of a Node response whose head is about to be written. Fields are read one by one,
 * and only those that the cache changes are set, because Node sends fields in the spelling in which the app sets them.
 *
 * @param given The headers that the app gives to `writeHead`, which replace those of `setHeader`: an object, or an array
 *   of names and values, flat or in pairs.
 * @returns The fields, and a function that returns the headers for `writeHead`.
 */
export function createHeadFields(res: ServerResponse, given: object = {}) {
  let lines = toLines(given)
  const without = (name: string) => lines.filter(([other]) => other.toLowerCase() !== name)
  const fields: HeadFields = {
    get(name) {
      const values = lines.flatMap(([other, value]) => (other.toLowerCase() === name ? value : []))
      return (values.length > 0 ? values : [res.getHeader(name) ?? []].flat()).join(', ') || null
    },
    has: (name) => fields.get(name) !== null,
    keys: () => [...res.getHeaderNames(), ...lines.map(([name]) => name.toLowerCase())],
    set(name, value) {
      // A field that the app gives to `writeHead` keeps its place and its spelling.
      const first = lines.findIndex(([other]) => other.toLowerCase() === name)
      const title = lines[first]?.[0] ?? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
      if (lines.length === 0 || (first < 0 && res.hasHeader(name))) res.setHeader(title, value)
      else lines = without(name).toSpliced(first < 0 ? lines.length : first, 0, [title, value])
    },
    delete(name) {
      lines = without(name)
      res.removeHeader(name)
    },
  }
  return { fields, toGiven: () => (Array.isArray(given) ? lines.flat() : Object.fromEntries(lines)) }
}

function toLines(given: object): Line[] {
  if (!Array.isArray(given)) return Object.entries(given)
  if (Array.isArray(given[0])) return given
  return given.flatMap((name, index) => (index % 2 === 0 ? [[name, given[index + 1]] as Line] : []))
}
