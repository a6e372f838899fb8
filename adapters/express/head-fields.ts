import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import type { HeadFields } from '../../core/cache/internal.js'

type Line = [name: string, value: OutgoingHttpHeader]
/** The headers that an app gives to `writeHead`: an object, or an array of names and values, flat or in pairs. */
export type GivenHeaders = Record<string, OutgoingHttpHeader> | readonly Line[] | readonly OutgoingHttpHeader[]

/**
 * Gives access to the header fields of a Node response whose head is about to be written. Fields are read one by one,
 * and changed in the form in which the app has set them, because Node sends them as they are.
 *
 * @param given Headers for `writeHead`. They replace those of `setHeader`.
 * @returns The fields, and a function that returns the headers for `writeHead`.
 */
export function createHeadFields(res: ServerResponse, given: GivenHeaders = {}) {
  const isArray = Array.isArray(given)
  const isPaired = isArray && Array.isArray(given[0])
  let lines = isPaired ? (given as Line[]) : isArray ? toPairs(given) : Object.entries(given as Record<string, Line[1]>)
  const without = (name: string) => lines.filter(([other]) => other.toLowerCase() !== name)
  const fields: HeadFields = {
    get(name) {
      const values = lines.flatMap(([other, value]) => (other.toLowerCase() === name ? value : []))
      return (values.length > 0 ? values : [res.getHeader(name) ?? []].flat()).join(', ') || null
    },
    has: (name) => fields.get(name) !== null,
    keys: () => [...res.getHeaderNames(), ...lines.map(([name]) => name.toLowerCase())],
    set(name, value) {
      const title = name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
      if (lines.length === 0) res.setHeader(title, value)
      else lines = [...without(name), [title, value]]
    },
    delete(name) {
      lines = without(name)
      res.removeHeader(name)
    },
  }
  const toGiven = () => (isPaired ? lines : isArray ? lines.flat() : Object.fromEntries(lines))
  return { fields, toGiven }
}

function toPairs(flat: readonly unknown[]): Line[] {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1]] as Line] : []))
}
