import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fileUrl, includesOf, pages, read } from './pages.js'

// Next.js has two routers. What is for one of them alone says so in its first sentence.

const names = { next: /App Router|`app\//, 'next-pages': /Pages Router|`pages\// }
type Entry = keyof typeof names

interface Section {
  title: string
  first: string
  entries: Entry[]
  hasOtherServers: boolean
}

/** Returns the sections of a page, each with the entries that its text and its code import. */
function sectionsOf(page: string): Section[] {
  const [beginning = '', ...sections] = read(page).split(/^(?=##+ )/m)
  return [beginning, ...sections].map((text) => {
    const code = includesOf(text).filter((file) => existsSync(fileUrl(file)))
    const all = [text, ...code.map(read)].join('\n')
    return {
      title: `${page}: ${text.split('\n')[0]}`,
      first: firstSentence(text),
      entries: (Object.keys(names) as Entry[]).filter((entry) => new RegExp(`sitewright/${entry}(?![\\w-])`).test(all)),
      hasOtherServers: /sitewright\/(?:express|hono|node)\b/.test(all),
    }
  })
}

function firstSentence(text: string): string {
  const [, paragraph = ''] = /^(?!```|[#<|:-]|\s*$)(.+(?:\n.+)*)/m.exec(text) ?? []
  return paragraph.split(/\.(?=\s|$)/)[0] ?? ''
}

const checked = pages.flatMap((page) => {
  const sections = sectionsOf(page)
  const alone = sections.filter(({ entries, hasOtherServers }) => entries.length === 1 && !hasOtherServers)
  return alone.map((section) => ({ ...section, ofPage: sections[0]?.first ?? '' }))
})

it('parts for one router of Next.js are found', () => {
  expect(new Set(checked.flatMap(({ entries }) => entries))).toEqual(new Set(['next', 'next-pages']))
  expect(checked.length).toBeGreaterThan(6)
})

it.each(checked)('$title names its router in the first sentence of the section or of the page', (section) => {
  const name = names[section.entries[0] as Entry]
  expect([section.first, section.ofPage]).toContainEqual(expect.stringMatching(name))
})
