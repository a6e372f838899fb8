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
      <p role="status" data-found={labels.found} />
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
 * Lists every page, component variant and color as a link. The script's search reads this page; without the script,
 * visitors read it.
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
      <li>
        <a href={href}>
          <strong>{title}</strong>
          {place && <small> {place}</small>}
          {description && <small> {description}</small>}
        </a>
        <p hidden>{text ?? textOf(content)}</p>
      </li>
      {pages
        .filter(({ bare, path }) => bare && path !== undefined)
        .map((variant) => (
          <li key={variant.path}>
            <a href={`${href}#${variant.path}`}>
              {variant.title} <small>{title}</small>
            </a>
          </li>
        ))}
      {swatches.map((swatch) => (
        <ColorEntry key={swatch.id} swatch={swatch} href={href} title={title} />
      ))}
    </>
  )
}

function ColorEntry({ swatch: { id, color }, href, title }: { swatch: ArrangedSwatch; href: string; title: string }) {
  const values = [...new Set(color.tones.map(({ value }) => value))]
  const hexes = values.flatMap((value) => describeColor(value)?.hex ?? [])
  const names = new Set(values.flatMap((value) => nearestColorName(value) ?? []))
  return (
    <li data-sw-hex={hexes.join(' ')}>
      <a href={`${href}#${encodeURIComponent(id)}`}>
        <Bands values={values.slice(0, 2)} />
        {color.name}{' '}
        <small>
          {[...hexes.slice(0, 2), ...names].join(' ')} · {title}
        </small>
        {color.declared.description && <small> {color.declared.description}</small>}
      </a>
    </li>
  )
}
