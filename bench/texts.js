// Writes the figures into the texts that name them: README.md and the documentation have none of their own.
// Usage: node bench/texts.js, or with --check, which only says which texts would change.
//
// In a text:  <!-- figures: bytes -->this is replaced<!-- /figures -->
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { comparison } from './comparison.js'
import { readFigures } from './figures.js'
import { sentences } from './sentences.js'

const root = new URL('../', import.meta.url)
const figures = readFigures()
/** @type {Record<string, (figures: ReturnType<typeof readFigures>) => string>} */
const texts = { comparison, ...sentences }
const marked = /<!-- figures: ([\w-]+) -->(\n?)[\s\S]*?(\n?)<!-- \/figures -->/g
// Measured, and not an option or a size such as 200 × 100 pixels.
const byHand = /\b\d[\d.,]* (?:µs|%)|\b\d[\d.,]* ×(?! ?[\d(])/

const pages = ['README.md', 'SECURITY.md', ...['docs/', 'docs/start/', 'docs/guide/', 'docs/migrate/'].flatMap(pagesIn)]
const errors = pages.flatMap(update)
for (const error of errors) console.error(error)
if (errors.length > 0) process.exitCode = 1

function pagesIn(folder) {
  return readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => folder + name)
}

/** Returns what is wrong with a page. */
function update(page) {
  const before = readFileSync(new URL(page, root), 'utf8')
  const after = before.replace(marked, (_, name, first, last) => {
    if (!Object.hasOwn(texts, name)) throw new Error(`${page}: figures: expected ${Object.keys(texts)}, got ${name}`)
    return `<!-- figures: ${name} -->${first}${texts[name](figures)}${last}<!-- /figures -->`
  })
  const found = byHand.exec(before.replace(marked, '').replace(/^```[\s\S]*?^```$/gm, ''))
  const written = found ? [`${page}: "${found[0]}" is no figure of bench/figures.json: mark it`] : []
  if (after === before) return written
  if (process.argv.includes('--check')) return [...written, `${page}: figures differ; run node bench/texts.js`]
  writeFileSync(new URL(page, root), after)
  return written
}
