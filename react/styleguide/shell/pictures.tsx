import type * as React from 'react'
import { listedPages, pageHref } from '../../../core/styleguide/internal.js'
import type { StyleguideTree } from '../content.js'
import { ColorPage } from '../pages/color-page.js'
import { arrangePalette } from '../pages/palette.js'
import { PageList } from './navigation.js'
import { PagePicture, PaletteBand, propsOf } from './page-picture.js'

/** More than `mostPictures` pages are listed by their titles alone. A section shows at most `mostOfSection` pages. */
const [mostPictures, mostOfSection] = [60, 8]

/**
 * The band of colors on the cover: those of the first palette among the pages. Renders nothing if there is no palette.
 */
export function Cover({ tree }: { tree: StyleguideTree }): React.ReactElement | null {
  const palette = [tree, ...pagesBelow(tree)].map(({ content }) => propsOf(content, ColorPage)).find(Boolean)
  return palette && palette.colors.length > 0 ? <PaletteBand palette={arrangePalette(palette)} /> : null
}

function pagesBelow(page: StyleguideTree): StyleguideTree[] {
  return listedPages(page).flatMap((child) => [child, ...pagesBelow(child)])
}

interface PicturesProps {
  page: StyleguideTree
  href: string
}

/** Shows the pages below a page as pictures. A page that has pages below it is shown as a section. */
export function Pictures({ page, href }: PicturesProps): React.ReactElement | null {
  const pages = listedPages(page)
  if (pages.length > mostPictures) return <PageList page={page} href={href} />
  const sections = pages.filter((child) => listedPages(child).length > 0)
  const others = pages.filter((child) => !sections.includes(child))
  return (
    <>
      {sections.map((section) => {
        const sectionHref = pageHref(href, section)
        if (sectionHref === undefined) return null
        const hasContent = section.content !== undefined && section.content !== null
        const shown = [...(hasContent ? [section] : []), ...listedPages(section)]
        return (
          <section key={sectionHref} className="sw-part">
            <h2>
              <a href={sectionHref}>{section.title}</a>
            </h2>
            <PictureList
              pages={shown.slice(0, mostOfSection)}
              hrefOf={(each) => (each === section ? sectionHref : pageHref(sectionHref, each))}
            />
            {shown.length > mostOfSection && <a href={sectionHref}>+ {shown.length - mostOfSection}</a>}
          </section>
        )
      })}
      {others.length > 0 && <PictureList pages={others} hrefOf={(each) => pageHref(href, each)} />}
    </>
  )
}

interface PictureListProps {
  pages: readonly StyleguideTree[]
  hrefOf: (page: StyleguideTree) => string | undefined
}

function PictureList({ pages, hrefOf }: PictureListProps) {
  return (
    <ul className="sw-pictures">
      {pages.map((page) => {
        const href = hrefOf(page)
        return (
          <li key={href ?? page.title}>
            {href !== undefined && (
              // Hidden from screen readers: the title says the same, and frames and letters are not meant to be read.
              <div className="sw-picture" aria-hidden="true" inert>
                <PagePicture page={page} href={href} />
              </div>
            )}
            <a href={href}>{page.title}</a>
          </li>
        )
      })}
    </ul>
  )
}
