import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalizeField } from './negotiation.js'

const space = fc.constantFrom('', '', ' ', '\t', '  ')
const spaced = (text: fc.Arbitrary<string>) => fc.tuple(space, text, space).map((parts) => parts.join(''))
const weight = fc.constantFrom(
  '',
  ';q=1',
  '; q=1.000',
  ';Q=0.5',
  ' ;q=0.50',
  ';q=0',
  ';q=0.0',
  ';q=2',
  ';q=0.1234',
  ';q',
)
const member = (types: string[]) =>
  fc.tuple(fc.constantFrom(...types), fc.constantFrom('', '', ';level=1', ';level="a,b"', ';Level=A'), weight)
const field = (types: string[]) =>
  fc
    .array(spaced(fc.oneof({ weight: 9, arbitrary: member(types).map((parts) => parts.join('')) }, fc.constant(''))))
    .map((members) => members.join(','))

const fields: Record<string, string[]> = {
  accept: ['text/html', 'TEXT/html', 'image/avif', 'image/*', '*/*', 'text/ html', 'te xt/html', 'texthtml'],
  'accept-language': ['en', 'EN', 'de-DE', 'd e-DE', 'de', '*', 'en-', 'toolonglanguage'],
  'accept-encoding': ['gzip', 'GZIP', 'br', 'identity', '*', 'g zip'],
  'accept-charset': ['utf-8', 'UTF-8', 'latin1', '*', 'utf 8'],
}

/**
 * Returns the meaning of a field for a handler that follows RFC 9110, by a second parser that reads character by
 * character. For a malformed field, it returns the field itself, which a handler may interpret in any way.
 */
function meaningOf(name: string, value: string): string {
  const members: string[] = []
  let part = ''
  let isQuoted = false
  for (const character of `${value},`) {
    if (character === '"') isQuoted = !isQuoted
    if (character !== ',' || isQuoted) {
      part += character
      continue
    }
    const [type = '', ...parameters] = part.split(';').map((text) => text.replace(/^[ \t]+|[ \t]+$/g, ''))
    part = ''
    if (!type && parameters.length === 0) continue
    if (/[ \t]/.test(type) || !isType(name, type)) return `malformed ${value}`
    let quality = 1
    const rest: string[] = []
    for (const parameter of parameters) {
      const [key = '', text] = parameter.split('=')
      if (text === undefined) return `malformed ${value}`
      if (key.toLowerCase() !== 'q') rest.push(`${key.toLowerCase()}=${text}`)
      else if (/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text)) quality = Number(text)
      else return `malformed ${value}`
    }
    members.push(JSON.stringify([type.toLowerCase(), rest, quality]))
  }
  if (name !== 'accept-encoding') return members.join(' ')
  const hasWildcard = members.some((text) => text.startsWith('["*"'))
  const acceptable = members.filter((text) => hasWildcard || text.startsWith('["identity"') || !text.endsWith(',0]'))
  return new Set(members.map((text) => JSON.parse(text)[0])).size < members.length ? value : acceptable.sort().join(' ')
}

function isType(name: string, type: string): boolean {
  if (name === 'accept') return type.split('/').length === 2
  return name !== 'accept-language' || type === '*' || type.split('-').every((tag) => tag.length > 0 && tag.length < 9)
}

it.each(Object.keys(fields))('normalizeField keeps apart the values of %s that a handler can tell apart', (name) => {
  const value = field(fields[name] as string[])
  fc.assert(
    fc.property(value, value, (first, second) => {
      if (normalizeField(name, first) === normalizeField(name, second)) {
        expect(meaningOf(name, first)).toBe(meaningOf(name, second))
      }
    }),
    { numRuns: 1_000 },
  )
})

it.each(Object.keys(fields))('normalizeField writes values of %s with the same meaning in the same way', (name) => {
  fc.assert(
    fc.property(field(fields[name] as string[]), (value) => {
      const normalized = normalizeField(name, value)
      expect(normalizeField(name, normalized)).toBe(normalized)
      const meaning = meaningOf(name, value)
      if (meaning !== value && !meaning.startsWith('malformed')) expect(normalized).not.toMatch(/[ \t]|,,|^,|,$|q=1$/)
    }),
    { numRuns: 300 },
  )
})

it('normalizeField leaves every other field unchanged', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(normalizeField('hx-request', value)).toBe(value)
    }),
  )
})

it.each([' ', ',', ', ', 'a;', 'a;b=c', 'a;b="', '"'])(
  'normalizeField takes linear time for %j, repeated to 1,000 characters',
  (part) => {
    const value = part.repeat(1000).slice(0, 999)
    expect(() => normalizeField('accept-encoding', `${value}x`)).not.toThrow()
  },
)
