// Writes the first page of the reference, after typedoc: each entry of the package, and its functions. The page of each entry gets its
// beginning: the functions to know first, and an example.
import { readFileSync, writeFileSync } from 'node:fs'
import { referenceEntries } from './reference-entries.js'
import { referenceSidebar } from './reference-sidebar.js'

const rows = referenceSidebar().map(({ text, link, items }) => {
  const pages = items.filter((item) => item.link).map((item) => `[\`${item.text}\`](${item.link})`)
  return `| [${text}](${link}) | ${pages.join(', ')} |`
})
const page = `# Reference

Every function has a page of its own, written from the comments in the code.

| import | functions |
|---|---|
${rows.join('\n')}
`
writeFileSync(new URL('reference/index.md', import.meta.url), page)

// A function that an entry exports again has its page at the other.
const links = new Map(referenceSidebar().flatMap(({ items }) => items.map(({ text, link }) => [text, link])))
for (const { name, functions, guide, example } of referenceEntries) {
  const file = new URL(`reference/${name}/index.md`, import.meta.url)
  const [title, ...rest] = readFileSync(file, 'utf8').split('\n')
  const linked = functions.map((text) => `[\`${text}\`](${links.get(text)})`)
  const more = guide ? ` [The guide](/guide/${guide}) explains them.` : ''
  const beginning = `Begin with ${linked.join(', ')}.${more}\n\n<<< @/${example}`
  writeFileSync(file, [title, '', beginning, ...rest.map(shortenRow)].join('\n'))
}

/** Keeps the first sentence of a row of a table, and names the function of props and options without a sentence. */
function shortenRow(line) {
  const [, cell, text] = /^(\| \[[^\]]*\]\([^)]*\) \|)(.*)\|$/.exec(line) ?? []
  if (text === undefined) return line
  const [, owner, part] = /\[(\w+)(Props|Options)\]/.exec(cell) ?? []
  const name = owner && [owner, owner[0].toLowerCase() + owner.slice(1)].find((name) => links.has(name))
  if (text.trim() === '-' || text.trim() === '')
    return name ? `${cell} The ${part.toLowerCase()} of \`${name}\`. |` : line
  return `${cell} ${text.trim().split(/(?<=[.!?]) (?=[A-Z`])/)[0]} |`
}
