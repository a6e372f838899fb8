import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sitePath } from './answers.js'

const site = 'https://www.example.com'

it.each([
  ['/articles/boats', '/articles/boats'],
  ['articles/boats', '/articles/boats'],
  ['', '/'],
  ['/de/über?a=1#b', '/de/%C3%BCber?a=1#b'],
  ['/a/../b', '/b'],
  ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
  ['https://evil.example/', '/https://evil.example/'],
  ['javascript:alert(1)', '/javascript:alert(1)'],
  ['//evil.example/', undefined],
  ['///evil.example/', undefined],
  ['/.//evil.example', undefined],
  ['/a/..//evil.example', undefined],
  ['/%2e//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['\\\\evil.example', undefined],
  ['/\t/evil.example', undefined],
  ['\t//evil.example', undefined],
  ['/\n/evil.example', undefined],
  ['/a\r\nSet-Cookie: a=b', undefined],
  ['/\u0000/evil.example', undefined],
])('%j becomes %j', (text, path) => {
  expect(sitePath(text)).toBe(path)
})

it('no text leads to another site, and the path stays the same when it is read again', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '%09',
      '\t',
      '\n',
      '\r',
      ' ',
      '@',
      ':',
      '?',
      '#',
      ';',
    ),
    fc.constantFrom(
      'https:',
      'javascript:',
      'data:',
      'evil.example',
      'www.example.com',
      '\u2215',
      '\uff0f',
      '\u3002',
      '\ufeff',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )
  const text = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (given) => {
      const path = sitePath(given)
      if (path === undefined) return
      expect(new URL(path, `${site}/api/preview`).origin).toBe(site)
      expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
      expect(sitePath(path)).toBe(path)
    }),
    { numRuns: 1000 },
  )
})
