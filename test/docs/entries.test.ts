import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { referenceEntries } from '../../docs/reference-entries.js'
import { read, root } from './pages.js'

it.each(referenceEntries)('the page of $name begins with functions that it exports, and an example', (entry) => {
  expect(entry.functions.length).toBeGreaterThan(0)
  expect(entry.functions.length).toBeLessThan(4)
  const exported = readFileSync(entry.source, 'utf8')
  for (const name of entry.functions) expect(exported).toMatch(new RegExp(`\\b${name}\\b`))
  const example = read(`docs/${entry.example}`)
  const [imported] = new RegExp(`import \\{[^}]*\\} from '${entry.name}'`).exec(example) ?? []
  expect(imported).toContain(entry.functions[0])
})

it.each(readdirSync(new URL('docs/migrate/', root)))('docs/migrate/%s says how to leave', (file) => {
  const [, leaving = ''] = read(`docs/migrate/${file}`).split('\n## How to leave\n')
  expect(leaving).toContain('`npx sitewright remove --dry-run`')
})
