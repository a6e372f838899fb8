import { describe, expect, it } from 'vitest'
import { nearestTo, searchEntries, splitAtWords, wordsOf } from './search.js'

const entryOf = (title: string, body = '', hexes: string[] = []) => ({
  title,
  notes: ['Site', undefined],
  body,
  hexes,
})
const entries = [
  entryOf('Voice', 'We quote people whole'),
  entryOf('Pull quote', 'Said louder'),
  entryOf('Quote'),
  entryOf('Façade'),
  entryOf('Written', '# Tone\n\nSpeak of **bold** and [pauses](/breath).'),
  entryOf('Long', `${'before '.repeat(20)}the hit ${'after '.repeat(20)}`),
  entryOf('accent', 'rust', ['#c34e28', '#f08c63']),
  entryOf('accent-strong', '', ['#94350f']),
]

describe('searchEntries', () => {
  it.each<[string, [title: string, note: string][]]>([
    [
      'quote',
      [
        ['Quote', ''],
        ['Pull quote', ''],
        ['Voice', 'We quote people whole'],
      ],
    ],
    [' WHOLE  people ', [['Voice', 'We quote people whole']]],
    ['the hit', [['Long', `…${' before'.repeat(3)} the hit${' after'.repeat(8)} …`]]],
    ['#C34E28', [['accent', '']]],
    [
      'c9502c',
      [
        ['accent', '#c34e28 · ΔE 1.6'],
        ['accent-strong', '#94350f · ΔE 13.3'],
      ],
    ],
    ['pauses', [['Written', 'Tone\n\nSpeak of bold and pauses.']]],
    ['facade', [['Façade', '']]],
    [
      '#c9502c',
      [
        ['accent', '#c34e28 · ΔE 1.6'],
        ['accent-strong', '#94350f · ΔE 13.3'],
      ],
    ],
    ['rgb(0 0 255)', [['accent-strong', '#94350f · ΔE 48']]],
    ['#c3', []],
    ['.*', []],
    ['nothing like it', []],
  ])('a search for %j finds %j', (query, found) => {
    expect(searchEntries(entries, query).map(({ entry, note }) => [entry.title, note])).toEqual(found)
  })
})

it.each<[string, string[]]>([
  ['quota', ['Quote', 'Pull quote', 'Voice']],
  ['accents', ['accent', 'accent-strong']],
  ['pull quoting', ['Pull quote']],
  ['quotation', []],
  ['quo', []],
])('the entries nearest to %j are %j', (query, titles) => {
  expect(nearestTo(entries, query).map(({ entry }) => entry.title)).toEqual(titles)
})

it.each([
  ['Écriture, écrit', 'ecri', ['', 'Écri', 'ture, ', 'écri', 't']],
  ['Pull quote', 'quote pull', ['', 'Pull', ' ', 'quote', '']],
  ['… with a hit …', 'hit', ['… with a ', 'hit', ' …']],
  ['İstanbul', 'tan', ['İs', 'tan', 'bul']],
  ['Voice', 'x', ['Voice']],
])('%j is split at the words of %j', (text, query, parts) => {
  expect(splitAtWords(text, wordsOf(query))).toEqual(parts)
})
