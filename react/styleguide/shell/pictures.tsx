import type * as React from 'react'
import { listedPages, pageHref } from '../../../core/styleguide/internal.js'
import type { StyleguideTree } from '../content.js'
import { PageList } from './navigation.js'
import { describeContent, PagePicture } from './page-picture.js'

/** More than `maxPictures` pages are listed by their titles alone. A section shows at most `maxOfSection` pages. */
const [maxPictures, maxOfSection] = [60, 8]

interface PicturesProps {
  page: StyleguideTree
  href: string
}

/** Shows the pages below a page as pictures. A page that has pages below it is shown as a section. */
export function Pictures({ page, href }: PicturesProps): React.ReactElement | null {
  const pages = listedPages(page)
  if (pages.length > maxPictures) return <PageList page={page} href={href} />
  const sections = pages.filter((child) => listedPages(child).length > 0)
  const leaves = pages.filter((child) => !sections.includes(child))
  return (
    <>
      {sections.map((section) => {
        const sectionHref = pageHref(href, section)
        if (sectionHref === undefined) return null
        const hasContent = section.content !== undefined && section.content !== null
        const pictured = [...(hasContent ? [section] : []), ...listedPages(section)]
        return (
          <section key={sectionHref} className="sw-part">
            <h2>
              <a href={sectionHref}>{section.title}</a>
            </h2>
            <PictureList
              pages={pictured.slice(0, maxOfSection)}
              hrefOf={(child) => (child === section ? sectionHref : pageHref(sectionHref, child))}
            />
            {pictured.length > maxOfSection && <a href={sectionHref}>+ {pictured.length - maxOfSection}</a>}
          </section>
        )
      })}
      {leaves.length > 0 && <PictureList pages={leaves} hrefOf={(child) => pageHref(href, child)} />}
    </>
  )
}

interface PictureListProps {
  pages: readonly StyleguideTree[]
  hrefOf: (page: StyleguideTree) => string | undefined
}

/** Whether a component is meant for the whole width of a desktop's window, which its picture then has, too. */
const isWide = ({ component }: StyleguideTree) => (component?.variants[0]?.widths[0] ?? 0) >= 1_000

function PictureList({ pages, hrefOf }: PictureListProps) {
  return (
    <ul className="sw-pictures">
      {pages.map((page) => {
        const href = hrefOf(page)
        const note = page.description ?? describeContent(page)
        return (
          <li key={href ?? page.title} className={isWide(page) ? 'sw-wide' : undefined}>
            {href !== undefined && <PagePicture page={page} href={href} />}
            <a href={href}>{page.title}</a>
            {note && <small>{note}</small>}
          </li>
        )
      })}
    </ul>
  )
}
