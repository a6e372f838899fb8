import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { read, root } from './pages.js'

// Messages of Node, Next.js, React and sharp.
const foreign = [
  'c.html is not a function',
  "Cannot read properties of undefined (reading 'send')",
  'Specified module format (CommonJs) is not matching',
  "Cannot find package 'sharp'",
  'React is not defined',
  'Hydration failed',
  'Failed to load external module node:path: TypeError: Native module not found',
  'libvips-cpp.so…: cannot open shared object file',
]

const page = read('docs/troubleshooting.md')
const spans = [...page.replace(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
const isCode = (text: string) => /^(?:curl|next|npm) |^[A-Z_]+=|^[a-z]\w+: (?:'|true)/i.test(text)
// At least two words, the first of more than one letter: messages, but no code, headers or paths.
const isSentence = (text: string) => /(?:^|[\s"])[A-Za-z']{2,}:? [a-z']{2,}/.test(text) && !/[;={]|^"/.test(text)
const quoted = [...new Set(spans.filter((text) => isSentence(text) && !isCode(text)))].filter(
  (text) => !foreign.includes(text) && text !== 'option: expected X, got Y',
)

const sources = ['core', 'adapters', 'react']
  .flatMap((folder) =>
    readdirSync(join(root.pathname, folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /(?<!\.test)\.tsx?$/.test(name))
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')),
  )
  .join('\n')

/**
 * The parts that stand in the code as they are: what is between names, numbers, addresses and the words of
 * `optionError`.
 */
function literalParts(text: string): string[] {
  const values = /https?:\S+|'[^']*'|\d+|…|: expected |, got|^Images: |(?:^|\s)\w[\w-]*(?=: )|: |; | document$/g
  return text
    .split(values)
    .map((part) => part?.replace(/^[\s:;,.]+|[\s:;,.]+$/g, ''))
    .filter((part): part is string => Boolean(part) && /[a-z]{2,} [a-z]|^[A-Z]\w+ /.test(part))
}

it('the page on troubleshooting has a heading for each of twenty symptoms, and a cure of one paragraph', () => {
  const symptoms = page.split(/^#{2,3} /m).filter((section) => /\{#[\w-]+\}$/m.test(section))
  expect(symptoms.length).toBeGreaterThanOrEqual(20)
  const cures = symptoms.map((section) =>
    section
      .trim()
      .split('\n\n')
      .slice(1)
      .filter((text) => !text.startsWith('## ')),
  )
  expect(cures.map(({ length }) => length)).toEqual(symptoms.map(() => 1))
})

it('the page on troubleshooting quotes messages', () => {
  expect(quoted.length).toBeGreaterThan(12)
  expect(quoted.filter((text) => literalParts(text).length === 0)).toEqual([])
})

it.each(quoted)('the code says: %s', (text) => {
  for (const part of literalParts(text)) expect(sources.includes(part), part).toBe(true)
})
