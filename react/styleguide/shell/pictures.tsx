import { listedPages, pageHref } from '../../../core/styleguide/internal.js'
import type { StyleguideTree } from '../content.js'
import { evenRows } from '../pages/color-strip.js'
import type { StyleguideLabels } from './labels.js'
import { PageList } from './navigation.js'
import { isWide, PagePicture, valuesOf } from './page-picture.js'

/** More than `maxPictures` pages are listed by their titles alone. A section shows at most `maxOfSection` pages. */
const [maxPictures, maxOfSection] = [60, 8]

type Item = ReturnType<typeof itemsBelow>[number]

interface PicturesProps {
  page: StyleguideTree
  href: string
  labels: StyleguideLabels
  /** Whether each page is one picture, also one that has pages below it. A single page is still shown as a section. */
  isFlat?: boolean
}

/** Shows the pages below a page as pictures. A page that has pages below it is shown as a section. */
export function Pictures({ page, href, labels, isFlat }: PicturesProps) {
  const items = itemsBelow(page, href)
  if (items.length > maxPictures) return <PageList page={page} href={href} />
  const sections = items.filter(
    ({ page, href }) => (!isFlat || items.length === 1) && href && listedPages(page).length > 0,
  )
  const leaves = items.filter((item) => !sections.includes(item))
  return (
    <>
      {sections.map(({ page, href = '' }) => (
        <section key={href} className="sw-part">
          <h2>
            <a href={href}>{page.title}</a>
          </h2>
          <PictureList items={itemsBelow(page, href).slice(0, maxOfSection)} />
          {listedPages(page).length > maxOfSection && <a href={href}>+ {listedPages(page).length - maxOfSection}</a>}
        </section>
      ))}
      {leaves.length > 0 && (
        <section className="sw-part">
          {sections.length > 0 && <h2>{labels.more}</h2>}
          <PictureList items={leaves} />
        </section>
      )}
    </>
  )
}

const itemsBelow = (page: StyleguideTree, href: string) =>
  listedPages(page).map((child) => ({ page: child, href: pageHref(href, child) }))

/** Pictures in rows that are all filled: first the wide ones, each alone, then rows of up to four, the shorter ones first. */
function PictureList({ items }: { items: readonly Item[] }) {
  const wide = items.filter(({ page }) => isWide(page))
  const others = items.filter((item) => !wide.includes(item))
  const places = [...wide.map(() => 'sw-wide'), ...evenRows(others.length, 4, 4).reverse()]
  return (
    <ul className="sw-pictures">
      {[...wide, ...others].map(({ page, href }, index) => {
        const titles = listedPages(page).map(({ title }) => title)
        const note = page.description ?? valuesOf(page.content).summary ?? titles.slice(0, maxOfSection).join(', ')
        return (
          <li key={href ?? page.title} className={places[index]}>
            {href !== undefined && <PagePicture page={page} href={href} />}
            <a href={href}>{page.title}</a>
            {note && <small>{note}</small>}
          </li>
        )
      })}
    </ul>
  )
}
