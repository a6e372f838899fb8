import type * as React from 'react'
import {
  describeColor,
  describeStyleguide,
  type Found,
  listedPages,
  nearestColorName,
  pageHref,
  pixelsAt,
  reachablePages,
  type SearchEntry,
  searchEntries,
  searchPage,
  splitAtWords,
  tokensIn,
  wordsOf,
} from '../../../core/styleguide/internal.js'
import { filledByScript, type StyleguideTree, textOf } from '../content.js'
import { Bands } from '../pages/color-detail.js'
import { ColorPage } from '../pages/color-page.js'
import { type ArrangedSwatch, arrangePalette } from '../pages/palette.js'
import type { StyleguideLabels } from './labels.js'
import { PagePicture, propsOf } from './page-picture.js'

interface SearchFieldProps {
  rootHref: string
  labels: StyleguideLabels
  query?: string | undefined
  /** Says how much was found. */
  status?: string
  /** The results, as items of a list. Default: those that the script lists. */
  children?: React.ReactNode
}

/** A search field and its results, as a form that the server answers. */
export function SearchField({ rootHref, labels, query, status, children }: SearchFieldProps) {
  // A page has one search landmark, which is that of the navigation.
  const Place = query === undefined ? 'search' : 'div'
  return (
    <Place className="sw-search">
      <form action={pageHref(rootHref, searchPage)}>
        <input
          className="sw-field"
          type="search"
          name="q"
          defaultValue={query}
          aria-label={labels.search}
          aria-keyshortcuts="/"
          placeholder={`${labels.search} (/)`}
          autoComplete="off"
          spellCheck={false}
        />
      </form>
      <p role="status" data-found={labels.found} data-empty={labels.none} suppressHydrationWarning>
        {status}
      </p>
      <ol
        className="sw-found"
        suppressHydrationWarning
        {...(children ? { children } : { dangerouslySetInnerHTML: filledByScript })}
      />
    </Place>
  )
}

interface SearchPageProps {
  tree: StyleguideTree
  rootHref: string
  labels: StyleguideLabels
  /** The words to search for, or a color. */
  query: string
}

/**
 * Shows the pages, component variants and colors that a query finds. Without a query, lists all of them as links, under a
 * heading for each page of the first level that has pages below it.
 */
export function SearchPage({ tree, rootHref, labels, query }: SearchPageProps): React.ReactElement {
  const tokens = tokensIn(describeStyleguide(tree, rootHref).tokens)
  const sections = listedPages(tree).map((top) => {
    const href = pageHref(rootHref, top)
    return href === undefined
      ? []
      : reachablePages(top, href, tree).map(({ page, href }) => entryOf(page, href, top, tokens))
  })
  const entries = sections.flat().flatMap((entry) => [entry, ...(entry.parts ?? []), ...(entry.values ?? [])])
  const found = query ? searchEntries(entries, query) : []
  // The picture of a component is that of its first variant.
  const results = found.filter(({ pictured }) => !found.some(({ href }) => href === pictured))
  return (
    <>
      <Results {...{ rootHref, labels, query, results }} />
      {results.length === 0 && (
        <div className="sw-index">
          {sections.map(
            ([head, ...below]) =>
              head &&
              below.length > 0 && (
                <section key={head.href} className="sw-part">
                  <h2>
                    <EntryLink entry={head} />
                  </h2>
                  <EntryList entries={below} />
                </section>
              ),
          )}
          <EntryList entries={sections.filter(({ length }) => length === 1).flat()} />
        </div>
      )}
    </>
  )
}

interface Entry extends SearchEntry {
  href: string
  picture: React.ReactNode
  /** The variants and colors of a page. */
  parts?: readonly Entry[]
  /** Its values that are not colors, such as sizes. */
  values?: readonly Entry[]
  /** URL of the page with the same picture. */
  pictured?: string | undefined
}

type Tokens = ReturnType<typeof tokensIn>

function entryOf(page: StyleguideTree, href: string, top: StyleguideTree, tokens: Tokens): Entry {
  const { title, description, content, text, pages = [] } = page
  const palette = propsOf(content, ColorPage)
  const swatches = palette ? arrangePalette(palette).strips.flatMap(({ swatches }) => swatches) : []
  const frames = pages.filter(({ bare, path }) => bare && path !== undefined)
  const variants = frames.map((variant, index) => ({
    pictured: index === 0 ? href : undefined,
    title: variant.title,
    notes: [title],
    href: `${href}#${variant.path}`,
    picture: <PagePicture key="" page={{ title: variant.title, pages: [variant] }} href={href} />,
  }))
  const picture = <PagePicture page={page} href={href} />
  const own = tokens.filter(({ token }) => token.href === href && token.kind !== 'colors')
  const byPath = new Map(own.reverse().map((value) => [value.path, value])) // the first of several modes counts
  return {
    title,
    notes: [top === page ? undefined : top.title, description],
    body: text ?? textOf(content),
    href,
    picture,
    values: [...byPath.values()].reverse().map(({ path, token: { name, css, property } }) => ({
      title: name,
      notes: [css, title],
      body: [path, property, `${pixelsAt(css, 1280) ?? '-'}px`].filter(Boolean).join(' '),
      href,
      picture,
    })),
    parts: [...variants, ...swatches.map((swatch) => colorEntry(swatch, href, title))],
  }
}

function colorEntry({ id, color }: ArrangedSwatch, href: string, place: string): Entry {
  const values = [...new Set(color.tones.map(({ value }) => value))]
  const hexes = values.flatMap((value) => describeColor(value)?.hex ?? [])
  const names = new Set(values.flatMap((value) => nearestColorName(value) ?? []))
  return {
    title: color.name,
    notes: [hexes.slice(0, 2).join(' '), color.declared.description],
    body: [...names, place].join(' '),
    href: `${href}#${encodeURIComponent(id)}`,
    picture: <Bands values={values.slice(0, 2)} />,
    hexes,
  }
}

function EntryList({ entries = [] }: { entries?: readonly Entry[] | undefined }): React.ReactElement | null {
  if (entries.length === 0) return null
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.href} className={entry.parts?.some(({ hexes }) => hexes) ? 'sw-wide' : undefined}>
          <EntryLink entry={entry} />
          <EntryList entries={entry.parts} />
        </li>
      ))}
    </ul>
  )
}

/** A link of the index, with the texts that the script searches where no server does. */
function EntryLink({ entry: { title, notes, body, href, picture, hexes, values = [] } }: { entry: Entry }) {
  const words = values.map(({ title, notes, body }) => [title, notes[0], body].join(' '))
  const names = values.slice(0, 8).map(({ title }) => title)
  return (
    <a href={href} data-sw-text={[notes[0], body, ...words].join(' ')} data-sw-hex={hexes?.join(' ')}>
      {hexes && picture}
      <strong>{title}</strong>
      {notes.slice(hexes ? 0 : 1).map((note) => note && <small key={note}> {note}</small>)}
      {names.length > 0 && <small> {names.join(', ') + (values.length > 8 ? ' …' : '')}</small>}
    </a>
  )
}

/** The results of a query, each with its picture, and with the words of the query marked. */
function Results({ rootHref, labels, query, results }: Omit<SearchPageProps, 'tree'> & { results: Found<Entry>[] }) {
  const words = wordsOf(query)
  const mark = (text: string) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts may repeat
    splitAtWords(text, words).map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part))
  const isNear = results[0]?.note?.startsWith('ΔE')
  const found = isNear ? labels.noColor : `${labels.found} ${results.length}`
  const sought = describeColor(query)?.hex ?? `#${query}`
  return (
    <SearchField {...{ rootHref, labels, query }} status={query && (results.length === 0 ? labels.none : found)}>
      {results.length > 0 &&
        results.map(({ title, notes, note, href, picture, hexes = [] }) => (
          <li key={`${href} ${title} ${notes[0]}`}>
            {isNear ? <Bands values={[sought, ...hexes.slice(0, 2)]} /> : picture}
            <a href={href}>
              <strong>{mark(title)}</strong>
              {[...notes, note].map((text) => text && <small key={text}> {mark(text)}</small>)}
            </a>
          </li>
        ))}
    </SearchField>
  )
}
