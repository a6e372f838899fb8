import type * as React from 'react'
import {
  describeColor,
  describeStyleguide,
  listedPages,
  nearestColorName,
  nearestTo,
  pixelsAt,
  reachablePages,
  type SearchEntry,
  searchEntries,
  splitAtWords,
  tokensIn,
  wordsOf,
} from '../../../core/styleguide/internal.js'
import { type StyleguideTree, textOf } from '../content.js'
import { Bands } from '../pages/color-detail.js'
import { ColorPage, smallPalette } from '../pages/color-page.js'
import { type ArrangedSwatch, arrangePalette } from '../pages/palette.js'
import type { StyleguideLabels } from './labels.js'
import { SearchField } from './navigation.js'
import { firstSentence, PagePicture, propsOf, valuesOf } from './page-picture.js'
import { Pictures } from './pictures.js'

interface SearchPageProps {
  tree: StyleguideTree
  rootHref: string
  labels: StyleguideLabels
  /** The words to search for, or a color. */
  query: string
  /** Whether the page of the URL is missing. The sections are then listed in place of the index. */
  isMissing?: boolean
}

/**
 * Shows the pages, component variants, colors and other values that a query finds, or those whose titles come nearest,
 * below a heading for each section and palette. Without a query, lists all of them.
 */
export function SearchPage({ tree, rootHref, labels, query, isMissing }: SearchPageProps): React.ReactElement {
  const groups = groupsOf(tree, rootHref)
  const entries = groups.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...(entry.parts ?? [])]))
  const found = query ? searchEntries(entries, query) : []
  const isNear = found[0]?.nearest !== undefined
  const count = isNear ? labels.noColor : `${labels.found} ${found.length}`
  const shown = found.length > 0 ? found : nearestTo(entries, query)
  const status = found.length > 0 ? count : shown.length > 0 ? labels.nearest : isMissing ? '' : labels.none
  const notes = new Map(shown.map((found) => [found.entry, found]))
  const sought = isNear ? (describeColor(query)?.hex ?? `#${query}`) : undefined
  return (
    <>
      <SearchField {...{ rootHref, labels, query }} status={query && status}>
        {notes.size > 0 && <Groups groups={groups} results={{ notes, words: isNear ? [] : wordsOf(query), sought }} />}
      </SearchField>
      {isMissing && <Pictures page={tree} href={rootHref} labels={labels} isFlat />}
      {!isMissing && notes.size === 0 && (
        <div className="sw-index">
          <Groups groups={groups} />
        </div>
      )}
    </>
  )
}

interface Entry extends SearchEntry {
  href: string
  picture?: React.ReactNode
  /** The colors of a family. */
  strip?: React.ReactNode
  /** The variants of a component. */
  parts?: readonly Entry[]
}

interface Group {
  title: string
  href: string
  entries: readonly Entry[]
  /** What the index shows in place of the entries. */
  index?: readonly Entry[]
}

/** The pages of each section, and the colors of each palette. The pages of the first level come last. */
function groupsOf(tree: StyleguideTree, rootHref: string): Group[] {
  const tokens = tokensIn(describeStyleguide(tree, rootHref).tokens)
  const [root, ...pages] = reachablePages(tree, rootHref)
  return [...pages, ...(root ? [root] : [])].flatMap(({ page: section, href }) => {
    const { title } = section
    // A section without content is only the heading of its group.
    const below = pages.filter(({ page, parent }) => {
      return parent === section && (listedPages(page).length === 0 || page.content !== undefined)
    })
    const entries = below.map(({ page, href }) => pageEntry(page, href, title, tokens))
    return [{ title, href, entries }, paletteGroup(section, href)]
  })
}

function pageEntry(page: StyleguideTree, href: string, section: string, tokens: ReturnType<typeof tokensIn>): Entry {
  const { title, description, content, text, pages = [] } = page
  const variants = pages.filter(({ bare, path }) => bare && path !== undefined)
  const values = tokens.filter(({ token }) => token.href === href && token.kind !== 'colors')
  const texts = values.map(({ token: { name, css } }) => `${name} ${css}`)
  // Each may be searched for by its property, its path in a document, and its size on a desktop.
  const names = values.map(({ path, token: { css, property } }) => [property, path, `${pixelsAt(css, 1280) ?? '-'}px`])
  return {
    title,
    notes: [description ?? valuesOf(page.content).summary ?? firstSentence(text ?? ''), section],
    body: [text ?? textOf(content), ...variants.map(({ title }) => title), texts.join(' · '), ...names.flat()]
      .filter(Boolean)
      .join(' '),
    href,
    picture: <PagePicture page={page} href={href} />,
    parts: variants.slice(variants.length === 1 ? 1 : 0).map((variant) => {
      return { title: variant.title, notes: [], href: `${href}#${variant.path}` }
    }),
  }
}

/** The colors of a page. The index shows those of a large palette as families. */
function paletteGroup({ title, content }: StyleguideTree, href: string): Group {
  const palette = propsOf(content, ColorPage)
  const families = (palette ? arrangePalette(palette).strips : []).map(({ name, id, swatches }) => {
    const colors = swatches.map((swatch) => colorEntry(swatch, href))
    return {
      title: name ?? (colors.length > 1 ? 'Single colors' : `${colors[0]?.title}`),
      notes: [],
      body: colors.map(({ title, notes, body }) => `${title} ${notes} ${body}`).join(' '),
      href: `${href}#${encodeURIComponent(id)}`,
      strip: <span className="sw-family">{colors.map(({ picture }) => picture)}</span>,
      hexes: colors.flatMap(({ hexes }) => hexes),
      colors,
    }
  })
  const entries = families.flatMap(({ colors }) => colors)
  return { title, href, entries, index: entries.length > smallPalette ? families : entries }
}

function colorEntry({ id, color }: ArrangedSwatch, href: string) {
  const values = [...new Set(color.tones.map(({ value }) => value))]
  const hexes = values.flatMap((value) => describeColor(value)?.hex ?? [])
  const names = new Set(values.flatMap((value) => nearestColorName(value) ?? []))
  return {
    title: color.name,
    notes: [hexes.slice(0, 2).join(' ')],
    body: [color.declared.description, ...names].filter(Boolean).join(' '),
    href: `${href}#${encodeURIComponent(id)}`,
    picture: <Bands key={id} values={values.slice(0, 2)} />,
    hexes,
  }
}

interface Results {
  /** The found entries, the best first, each with why it was found. */
  notes: ReadonlyMap<Entry, { note: string; nearest?: string }>
  /** The words to mark. */
  words: readonly string[]
  /** The color that none of the found ones has. */
  sought: string | undefined
}

/** Groups of entries below their headings: all of them, or the results in their order. */
function Groups({ groups, results }: { groups: readonly Group[]; results?: Results }) {
  const order = results && [...results.notes.keys()]
  const rankOf = (entry: Entry): number =>
    order ? Math.min(...[entry, ...(entry.parts ?? [])].map((part) => order.indexOf(part) + 1 || Infinity)) : 1
  const byRank = (a: Entry, b: Entry) => (rankOf(a) < rankOf(b) ? -1 : Number(rankOf(a) > rankOf(b)))
  const shown = groups.flatMap(({ entries, index = entries, ...group }) => {
    const [first, ...rest] = (results ? entries : index).filter((entry) => rankOf(entry) < Infinity).sort(byRank)
    return first ? [{ ...group, first, rest }] : []
  })
  return shown
    .sort((a, b) => byRank(a.first, b.first))
    .map(({ title, href, first, rest }) => (
      <section key={first.href} className="sw-part">
        <h2>
          <a href={href}>{title}</a>
        </h2>
        <ul className={first.hexes && !first.strip && !results?.sought ? 'sw-swatches' : 'sw-rows'}>
          {[first, ...rest].map((entry) => (
            <Item key={`${entry.href} ${entry.title}`} entry={entry} results={results} />
          ))}
        </ul>
      </section>
    ))
}

/**
 * A result, with the words of the query marked, or an item of the index, with the texts that the script searches where
 * no server does.
 */
function Item({ entry, results }: { entry: Entry; results: Results | undefined }) {
  const { title, notes, body, href, picture, strip, hexes, parts = [] } = entry
  const { words = [], sought } = results ?? {}
  const { note, nearest } = results?.notes.get(entry) ?? {}
  // A color has its values also beside a word of its description.
  const line = hexes && !nearest ? [notes[0], note].filter(Boolean).join(' · ') : note || notes[0]
  const listed = parts.filter((part) => !results || results.notes.has(part))
  const mark = (text: string) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts may repeat
    splitAtWords(text, words).map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part))
  return (
    <li>
      {sought && nearest ? <Halves values={[sought, nearest]} /> : (results || hexes) && picture}
      <a
        href={href}
        data-sw-text={results ? undefined : [...notes, body].filter(Boolean).join(' ')}
        data-sw-hex={hexes?.join(' ')}
      >
        <strong>{mark(title)}</strong>
        {strip ?? (line && <small> {mark(line)}</small>)}
      </a>
      {listed.length > 0 && (
        <ul>
          {listed.map((part) => (
            <Item key={`${part.href} ${part.title}`} entry={part} results={results} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** The color that was searched for, beside the nearest one. */
function Halves({ values }: { values: readonly string[] }) {
  return (
    <div className="sw-picture" aria-hidden="true">
      <div className="sw-pairs">
        <div>
          {values.map((value) => (
            <Bands key={value} values={[value]} />
          ))}
        </div>
      </div>
    </div>
  )
}
