import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ComponentType } from 'react'
import * as runtime from 'react/jsx-runtime'
import type { StyleguideNode } from '../../core/styleguide/index.js'
import { pageHref } from '../../core/styleguide/internal.js'

/**
 * Returns the URL of the file that a relative link to Markdown leads to, such as `./01-colors.md#x`; `undefined` for
 * other links.
 */
export function linkedFile(url: string | undefined, file: string): string | undefined {
  if (!url || !/^(?![a-z][a-z\d+.-]*:|\/)[^?#]+\.mdx?(?:[?#]|$)/i.test(url)) return undefined
  return new URL(url.replace(/[?#].*$/s, ''), pathToFileURL(resolve(file))).href
}

/**
 * Returns the components of a page. Its links to Markdown files lead to the pages of these files, wherever these pages
 * are in the tree.
 *
 * @param contents The content of each page, by the URL of its file.
 */
export function linkedComponents(
  file: string,
  contents: ReadonlyMap<string, unknown>,
  { trail: [root, ...pagesBelowRoot] = [], href = '' }: { trail?: readonly StyleguideNode[]; href?: string },
  components: Readonly<Record<string, ComponentType<never> | string>> = {},
) {
  const hrefBelowRoot = pagesBelowRoot.reduce((parentHref, page) => pageHref(parentHref, page) ?? parentHref, '')
  const Link = (components.a ?? 'a') as 'a'
  const a = (props: { href?: string }) => {
    const content = contents.get(linkedFile(props.href, file) ?? '')
    const target = content && root && findHref(root, href.slice(0, href.length - hrefBelowRoot.length), content)
    const suffix = props.href?.replace(/^[^?#]*/, '')
    return runtime.jsx(Link, target === undefined ? props : { ...props, href: `${target || '/'}${suffix}` })
  }
  return { ...components, a }
}

function findHref(page: StyleguideNode, href: string, content: unknown): string | undefined {
  if (page.content === content) return href
  const hrefs = page.pages?.map((child) => findHref(child, pageHref(href, child) ?? href, content))
  return hrefs?.find((childHref) => childHref !== undefined)
}
