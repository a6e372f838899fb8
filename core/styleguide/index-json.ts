import { jsonResponse } from '../http/headers.js'
import { kinds } from './kinds.js'
import { type PageValues, type TokenDocument, type UnwrittenToken, writeTokens } from './tokens/write-tokens.js'
import { pageHref, reachablePages, type StyleguideComponent, type StyleguideNode } from './tree/tree.js'
import { isObject, ownMember } from './values.js'

/** The content of `{prefix}/index.json`, which `sitewright/styleguide-index.schema.json` describes. */
export interface StyleguideIndex {
  title: string
  /** Path of the styleguide: `/styleguide`. */
  href: string
  /** All pages in the order of the navigation, without the pages of variants. */
  pages: readonly { title: string; href: string; description?: string | undefined }[]
  components: readonly IndexedComponent[]
  tokens: TokenDocument
  /** Values that have no type in the format of design tokens. */
  unwritten: readonly UnwrittenToken[]
}

/** A component. The `href` of a variant is the page that its frames load. */
export interface IndexedComponent extends Omit<StyleguideComponent, 'variants'> {
  title: string
  href: string
  variants: readonly (StyleguideComponent['variants'][number] & { href: string })[]
}

/** Name of the file below the styleguide's prefix. A page of the tree with this path takes precedence. */
export const indexFile = 'index.json'

/** Responds with the index. Like the styleguide's pages, no search engine lists it, and no cache keeps it. */
export function indexResponse(tree: StyleguideNode, prefix: string): Response {
  const headers = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }
  return jsonResponse(200, describeStyleguide(tree, prefix), headers)
}

/**
 * Describes a styleguide for programs: its pages, its components with the address of each frame, and the values of its
 * ready pages as design tokens.
 *
 * @param prefix Path of the styleguide.
 */
export function describeStyleguide(tree: StyleguideNode, prefix: string): StyleguideIndex {
  const pages = reachablePages(tree, prefix)
  const { tokens, unwritten } = writeTokens(pages.flatMap(({ page, href }) => valuesIn(page.content, href)))
  return {
    title: tree.title,
    href: prefix,
    pages: pages.map(({ page, href }) => ({ title: page.title, href, ...describe(page) })),
    components: pages.flatMap(({ page, href }) => {
      const { component, pages: frames = [] } = page
      if (!component) return []
      const variants = component.variants.flatMap((variant, index) => {
        const frameHref = frames[index] && pageHref(href, frames[index])
        return frameHref === undefined ? [] : { ...variant, href: frameHref }
      })
      return { title: page.title, href, ...component, variants, ...describe(page) }
    }),
    tokens,
    unwritten,
  }
}

function describe(page: StyleguideNode): { description?: string } {
  const description = ownMember(page, 'description') ?? page.component?.description
  return typeof description === 'string' && description !== '' ? { description } : {}
}

/** Returns the values in the props of a page's elements. They are found by the names that `Styles` gives their lists. */
function valuesIn(content: unknown, href: string): PageValues[] {
  if (Array.isArray(content)) return content.flatMap((child) => valuesIn(child, href))
  const props = ownMember(content, 'props')
  if (!isObject(props)) return []
  const own = { ...props, ...(isObject(props.typography) && props.typography) } as Record<string, unknown>
  const lists = kinds.map(({ name }) => [name, listOf(own[name])])
  return [{ href, colors: listOf(own.colors), ...Object.fromEntries(lists) }, ...valuesIn(own.children, href)]
}

function listOf(value: unknown): never[] {
  const isEntry = (entry: unknown) =>
    typeof ownMember(entry, 'name') === 'string' && typeof ownMember(entry, 'value') === 'string'
  return Array.isArray(value) && value.every(isEntry) ? (value as never[]) : []
}
