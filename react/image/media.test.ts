import { describe, expect, it } from 'vitest'
import { exclusiveMedia } from './picture.js'

describe('exclusiveMedia', () => {
  it.each<[string, string[], string[]]>([
    ['no source', [], ['']],
    ['one source', ['(max-width: 40rem)'], ['((max-width: 40rem))', '(not ((max-width: 40rem)))']],
    [
      'two sources, of which the first wins',
      ['(max-width: 40rem)', '(prefers-color-scheme: dark)'],
      [
        '((max-width: 40rem))',
        '((prefers-color-scheme: dark)) and (not ((max-width: 40rem)))',
        '(not ((max-width: 40rem))) and (not ((prefers-color-scheme: dark)))',
      ],
    ],
    [
      'a list',
      ['(max-width: 40rem), (orientation: portrait)'],
      [
        '(((max-width: 40rem)) or ((orientation: portrait)))',
        '(not (((max-width: 40rem)) or ((orientation: portrait))))',
      ],
    ],
    ['a media type', ['only screen and (max-width: 40rem)'], ['((max-width: 40rem))', '(not ((max-width: 40rem)))']],
    ['a negation', ['not all and (hover)'], ['(not ((hover)))', '(not (not ((hover))))']],
    ['a query that cannot be negated', ['(max-width: 40rem)', 'print'], []],
  ])('exclusiveMedia returns exclusive queries: %s', (_, media, expected) => {
    expect(exclusiveMedia(media)).toEqual(expected)
  })
})
