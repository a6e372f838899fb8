// The measured figures. Each part of `npm run bench` records its own here; texts.js writes README.md and docs out of them.
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('figures.json', import.meta.url)

/** @returns {Record<string, { date: string, unit: string, values: Record<string, number> }>} figures by title */
export function readFigures() {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/**
 * Replaces the figures of one title.
 *
 * @param {string} title
 * @param {string} unit
 * @param {Record<string, number>} values by contender, the first is ours
 */
export function record(title, unit, values) {
  const rounded = Object.entries(values).map(([name, value]) => [name, Number(value.toPrecision(4))])
  const date = new Date().toISOString().slice(0, 10)
  const figures = { ...readFigures(), [title]: { date, unit, values: Object.fromEntries(rounded) } }
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`)
}
