import { toSrgb } from './colors/color.js'
import type { Srgb } from './colors/wcag.js'
import { nearestToken } from './token-uses.js'

/** An item that the search can find: a page, a variant of a component, or a color. */
export interface SearchEntry {
  title: string
  /** The other texts of a result: the page above, the purpose. */
  notes: readonly (string | undefined)[]
  /** More text that is searched. A result shows the part around a match. */
  body?: string
  /** The values of a color. */
  hexes?: readonly string[]
}

/**
 * An entry that was found. `note` says why, if its title and notes do not: an excerpt, or the value that is nearest to a
 * color, `nearest`, with its ΔE.
 */
interface Found<Entry> {
  entry: Entry
  note: string
  nearest?: string
}

const [maxResults, maxQuery, maxDifference, maxEnding] = [40, 200, 15, 3]

/**
 * Returns the entries that contain every word of a query. Entries with the query in their title come first. A hex or
 * another value of a color finds the colors of this value, or else those within a ΔE of 15, or else the nearest one.
 *
 * @example searchEntries([{ title: 'accent', notes: [], hexes: ['#c34e28'] }], '#c9502c')[0]?.note // '#c34e28 · ΔE 1.6'
 */
export function searchEntries<Entry extends SearchEntry>(entries: readonly Entry[], query: string): Found<Entry>[] {
  const words = wordsOf(query)
  const colorOf = (text: string) => (/^#|\(/.test(text) ? toSrgb(text) : undefined)
  const color = colorOf(query.trim())
  if (color) return nearestEntries(entries, color)
  const rankOf = ({ title, notes, body }: Entry) => {
    const place = foldText(title).indexOf(words.join(' '))
    if (place >= 0) return Math.min(place, 1)
    const text = foldText([title, ...notes, body].join(' '))
    return words.every((word) => text.includes(word)) ? 2 : 3
  }
  const ranked = entries.map((entry) => ({ entry, rank: rankOf(entry) })).filter(({ rank }) => rank < 3)
  // Six digits without a hash are a color if they are in no text, as `facade` could be.
  const bare = ranked.length === 0 && query.trim().length === 6 ? colorOf(`#${query.trim()}`) : undefined
  if (bare) return nearestEntries(entries, bare)
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxResults)
    .map(({ entry }) => ({ entry, note: excerptOf(entry, words) }))
}

function nearestEntries<Entry extends SearchEntry>(entries: readonly Entry[], color: Srgb): Found<Entry>[] {
  const ranked = entries.flatMap((entry) => {
    const nearest = nearestToken(color, entry.hexes?.map((hex) => ({ hex, measured: toSrgb(hex) })) ?? [])
    return nearest ? { entry, difference: nearest.difference, nearest: nearest.token.hex } : []
  })
  const sorted = ranked.sort((a, b) => a.difference - b.difference)
  const least = sorted[0]?.difference ?? 0
  return sorted
    .filter(({ difference }) => difference <= (least && Math.max(least, maxDifference)))
    .map(({ entry, difference, nearest }) =>
      difference > 0 ? { entry, note: `${nearest} · ΔE ${difference}`, nearest } : { entry, note: '' },
    )
}

/** Finds the entries for a query without its last letters, up to three, since a word may have another ending. */
export function nearestTo<Entry extends SearchEntry>(entries: readonly Entry[], query: string): Found<Entry>[] {
  for (let length = query.length - 1; length >= Math.max(3, query.length - maxEnding); length--) {
    const found = searchEntries(entries, query.slice(0, length))
    if (found.length > 0) return found.slice(0, 3)
  }
  return []
}

/** The words of a query, in lower case and without accents. */
export function wordsOf(query: string): string[] {
  return foldText(query.slice(0, maxQuery)).split(/\s+/).filter(Boolean)
}

/** Splits a text at words: every second part is one of the words. */
export function splitAtWords(text: string, words: readonly string[]): string[] {
  const folded = foldText(text)
  // A text whose length changes, as with a letter that has no single lower case, has its words at other places.
  if (folded.length !== text.length) return [text]
  const parts: string[] = []
  let [start, end] = [0, 0]
  while (start < text.length) {
    const { length = 0 } = words.find((word) => folded.startsWith(word, start)) ?? {}
    if (length > 0) {
      parts.push(text.slice(end, start), text.slice(start, start + length))
      end = start + length
    }
    start += length || 1
  }
  return [...parts, text.slice(end)]
}

/** Returns the part of an entry's text around the first of the words, if its title and notes have none: whole words without Markdown. */
function excerptOf({ title, notes, body = '' }: SearchEntry, words: readonly string[]): string {
  const text = body.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/^(?:#+|>) |[*`]/gm, '')
  const [before = '', ...rest] = splitAtWords(text, words)
  if (rest.length === 0 || splitAtWords([title, ...notes].join(' '), words).length > 1) return ''
  const after = rest.join('')
  const start = before.length > 24 ? before.slice(-24).replace(/^\S*/, '…') : before
  return start + (after.length > 60 ? after.slice(0, 60).replace(/\S*$/, '…') : after)
}

/** Returns a text in lower case and without accents. */
function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
