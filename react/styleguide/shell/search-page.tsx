import type * as React from 'react'
import { describeColor, nearestColorName, reachablePages } from '../../../core/styleguide/internal.js'
import { filledByScript, type StyleguideTree, textOf } from '../content.js'
import { Bands } from '../pages/color-detail.js'
import { ColorPage } from '../pages/color-page.js'
import { type ArrangedSwatch, arrangePalette } from '../pages/palette.js'
import type { StyleguideLabels } from './labels.js'
import { propsOf } from './page-picture.js'

/** The search field. The script lists the matches, so the stylesheet hides the field until the script is loaded. */
export function SearchField({ index, labels }: { index: string | undefined; labels: StyleguideLabels }) {
  return (
    <search className="sw-search">
      <input
        className="sw-field"
        type="search"
        aria-label={labels.search}
        aria-keyshortcuts="/"
        placeholder={`${labels.search} (/)`}
        autoComplete="off"
        spellCheck={false}
        data-sw-index={index}
      />
      <p role="status" data-found={labels.found} data-nearest={labels.nearest} data-empty={labels.none} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: an empty constant */}
      <ol className="sw-found" suppressHydrationWarning dangerouslySetInnerHTML={filledByScript} />
    </search>
  )
}

interface SearchPageProps {
  tree: StyleguideTree
  rootHref: string
}

/**
 * Lists every page, component variant and color as a link, under a heading for each page of the first level. The script's
 * search reads this page; without the script, visitors read it.
 */
export function SearchPage({ tree, rootHref }: SearchPageProps): React.ReactElement {
  const pages = reachablePages(tree, rootHref).slice(1)
  return (
    <ul className="sw-index">
      {pages.map(({ page, href, parent }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: URLs may repeat
        <PageEntries key={index} page={page} href={href} place={parent === tree ? undefined : parent?.title} />
      ))}
    </ul>
  )
}

function PageEntries({ page, href, place }: { page: StyleguideTree; href: string; place: string | undefined }) {
  const { title, description, content, text, pages = [] } = page
  const palette = propsOf(content, ColorPage)
  const swatches = palette ? arrangePalette(palette).strips.flatMap(({ swatches }) => swatches) : []
  return (
    <>
      <li className={place === undefined ? 'sw-head' : undefined}>
        <EntryLink href={href} title={title} place={place} description={description} />
        <p hidden>{text ?? textOf(content)}</p>
      </li>
      {pages
        .filter(({ bare, path }) => bare && path !== undefined)
        .map((variant) => (
          <li key={variant.path} className="sw-item">
            <EntryLink href={`${href}#${variant.path}`} title={variant.title} place={title} />
          </li>
        ))}
      {swatches.map((swatch) => (
        <ColorEntry key={swatch.id} swatch={swatch} href={href} place={title} />
      ))}
    </>
  )
}

interface EntryLinkProps {
  href: string
  title: string
  /** Title of the page above. The list shows it in the search only, since the page stands above there. */
  place: string | undefined
  description?: string | undefined
  children?: React.ReactNode
}

function EntryLink({ href, title, place, description, children }: EntryLinkProps) {
  return (
    <a href={href}>
      {children}
      <strong>{title}</strong>
      {place && <small className="sw-place"> {place}</small>}
      {description && <small> {description}</small>}
    </a>
  )
}

function ColorEntry({ swatch: { id, color }, href, place }: { swatch: ArrangedSwatch; href: string; place: string }) {
  const values = [...new Set(color.tones.map(({ value }) => value))]
  const hexes = values.flatMap((value) => describeColor(value)?.hex ?? [])
  const names = new Set(values.flatMap((value) => nearestColorName(value) ?? []))
  const link = { href: `${href}#${encodeURIComponent(id)}`, title: color.name, place: hexes.slice(0, 2).join(' ') }
  return (
    <li className="sw-item sw-color" data-sw-hex={hexes.join(' ')}>
      <EntryLink {...link} description={color.declared.description}>
        <Bands values={values.slice(0, 2)} />
      </EntryLink>
      <p hidden>{[...names, place].join(' ')}</p>
    </li>
  )
}
