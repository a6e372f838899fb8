import { existsSync, readdirSync } from 'node:fs'
import { referenceEntries } from './reference-entries.js'

/** In the order of the sidebar, with their titles there; the types of an entry come last. */
const kinds = {
  functions: undefined,
  classes: undefined,
  variables: undefined,
  interfaces: 'Types',
  'type-aliases': 'Types',
}

/** The pages of the reference for the sidebar, as typedoc has written them: an entry, and below it each function, then the types. */
export function referenceSidebar() {
  return referenceEntries.map(({ name }) => {
    const items = Object.keys(kinds).map((kind) => ({ title: kinds[kind], pages: pagesOf(name, kind) }))
    const types = items.filter(({ title }) => title).flatMap(({ pages }) => pages)
    return {
      text: name,
      link: `/reference/${name}/`,
      collapsed: true,
      items: [
        ...items.filter(({ title }) => !title).flatMap(({ pages }) => pages),
        ...(types.length > 0 ? [{ text: 'Types', collapsed: true, items: types }] : []),
      ],
    }
  })
}

function pagesOf(name, kind) {
  const folder = new URL(`reference/${name}/${kind}/`, import.meta.url)
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.md')) : []
  return files.map((file) => file.slice(0, -3)).map((text) => ({ text, link: `/reference/${name}/${kind}/${text}` }))
}
