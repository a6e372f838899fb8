// Prints which cookies of the Open Cookie Database are missing in core/tracking-cookies.ts: those of analytics and
// marketing without a domain of their own, and those of consent banners and load balancers. A person decides which of
// them to add, because a site could use names such as `id` itself.
// usage: node test/setup/tracking-cookies.js open-cookie-database.csv
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const list = readFileSync(join(import.meta.dirname, '../../core/tracking-cookies.ts'), 'utf8')
const trackingCookies = [...list.matchAll(/= `([^`]+)`/g)].flatMap(([, names = '']) => names.trim().split(/\s+/))

/**
 * Reads the rows of a CSV file, whose quoted fields may contain commas and line breaks (RFC 4180).
 *
 * @param {string} text
 */
function* readRows(text) {
  /** @type {string[]} */
  let row = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    yield row
    row = []
  }
}

/** @param {string} name */
const isKnown = (name) =>
  trackingCookies.some((known) => (known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known))
const [, ...rows] = readRows(readFileSync(process.argv[2] ?? '', 'utf8'))
for (const [, platform, category, name = '', domain = '', description = ''] of rows) {
  const isMeasurement = /^(?:Analytics|Marketing)$/.test(category ?? '') && domain.trim() === ''
  const isOther = /consent|privacy banner|cookie banner|load.?balanc|affinity/i.test(description)
  if (name && (isMeasurement || isOther) && !isKnown(name)) console.log(`${platform}\t${category}\t${name}`)
}
