// Writes the first page of the reference, after typedoc: each entry of the package, and its functions.
import { writeFileSync } from 'node:fs'
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
