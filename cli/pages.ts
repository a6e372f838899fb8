import type { Adoption } from '../core/styleguide/index.js'
import type { CrawledPage } from './crawl.js'
import { decodeReferences, type Tag } from './html.js'

/** Finds pictures without a text alternative: pictures with neither a label nor an `alt`. An empty `alt` is enough. */
export function findPictures({ path, tags }: CrawledPage): Adoption['pictures'] {
  return tags.flatMap(({ name, attributes }) => {
    const { alt, role, type, src = `<${name}>` } = attributes
    const isPicture = name === 'img' || (name === 'input' && type === 'image') || (name === 'svg' && role === 'img')
    const hasText = [alt, attributes['aria-label'], attributes['aria-labelledby']].some((text) => text !== undefined)
    const isHidden = attributes['aria-hidden'] === 'true' || role === 'none' || role === 'presentation'
    return isPicture && !hasText && !isHidden ? { page: path, picture: src } : []
  })
}

/** Finds headings that skip a level, such as an `h4` after an `h2`. The first heading of a page may be `h1` or `h2`. */
export function findHeadings({ path, tags }: CrawledPage): Adoption['headings'] {
  const headings = tags.filter(({ name }) => /^h[1-6]$/.test(name))
  return headings.flatMap(({ name, text }, index) => {
    const after = headings[index - 1]?.name ?? 'h1'
    const skips = Number(name[1]) > Number(after[1]) + 1
    return skips ? { page: path, heading: `${name} ${decodeReferences(text.trim())}`.trim(), after } : []
  })
}

/**
 * Finds the pages that use each component of the styleguide. A component is recognized by its outermost element: by the
 * tag name, and by the classes that all its variants share.
 *
 * @param site The pages of the site.
 * @param guide The pages of the styleguide.
 */
export function findComponents(site: readonly CrawledPage[], guide: readonly CrawledPage[]): Adoption['components'] {
  const tagsOf = new Map(guide.map(({ path, tags }) => [path, tags]))
  return guide.flatMap(({ path, tags }) => {
    const frames = tags.filter(({ attributes }) => attributes['data-sw-scheme'] !== undefined)
    const sources = new Set(frames.map(({ attributes }) => attributes.src ?? ''))
    const roots = [...sources].flatMap((source) => rootOf(tagsOf.get(source) ?? []) ?? [])
    const [root, ...furtherRoots] = roots
    if (!root) return []
    const classes = classesOf(root).filter((name) => furtherRoots.every((tag) => classesOf(tag).includes(name)))
    const isRoot = (tag: Tag) => tag.name === root.name && classes.every((name) => classesOf(tag).includes(name))
    const pages = site.filter((page) => classes.length > 0 && page.tags.some(isRoot)).map((page) => page.path)
    const title = tags.find(({ name }) => name === 'h1')?.text ?? path
    return { component: classes.length > 0 ? title : `${title} (without a class to find it by)`, pages }
  })
}

/**
 * Returns a component's outermost element on the page of a variant. If the variant has states, the element is within a
 * `figure`.
 */
function rootOf(tags: readonly Tag[]): Tag | undefined {
  const index = tags.findIndex((tag) => /^sw-(?:padded|fullscreen)/.test(tag.attributes.class ?? ''))
  return index < 0 ? undefined : tags[index + (classesOf(tags[index]).includes('sw-states') ? 2 : 1)]
}

function classesOf(tag: Tag | undefined): string[] {
  return tag?.attributes.class?.split(/\s+/).filter(Boolean) ?? []
}
