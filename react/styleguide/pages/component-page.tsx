import type * as React from 'react'
import { pageHref } from '../../../core/styleguide/index.js'
import { createUniqueSlugs } from '../../../core/styleguide/internal.js'
import type { StyleguideContentProps, StyleguideTree } from '../content.js'
import { type ComponentVariant, Variant } from './variant.js'

export interface ComponentPageOptions {
  title: string
  /** The page's part of the URL. Default: the title's slug. */
  path?: string | undefined
  /** What the component is for, above its variants. */
  description?: React.ReactNode
  variants: readonly ComponentVariant[]
  /** The one color scheme that the component is made for. Default: that of the styleguide. */
  scheme?: 'light' | 'dark' | undefined
}

/**
 * Makes a page of the styleguide out of a component's variants, each beside its source, and, where asked, in frames of
 * several widths. Each variant has a page of its own below, without the shell: `/styleguide/card/wide`.
 *
 * @throws TypeError for a frame whose width or height is no size.
 * @example
 * componentPage({
 *   title: 'Card',
 *   variants: [{ title: 'Wide', content: <Card span={6} />, source: '<Card span={6} />', widths: [390, 1280] }],
 * })
 */
export function componentPage(options: ComponentPageOptions): StyleguideTree {
  const { title, path, description, variants, scheme } = options
  for (const variant of variants) checkFrames(variant)
  const pathOf = createUniqueSlugs('variant')
  const pages = variants.map(({ title, content }) => ({ title, path: pathOf(title), content, bare: true }))

  function ComponentPage({ href }: StyleguideContentProps): React.ReactElement {
    if (variants.length === 0) return <p className="sw-empty">No variants found</p>
    return (
      <>
        {description}
        {variants.map((variant, index) => {
          const page = pages[index] as StyleguideTree
          return <Variant key={page.path} variant={variant} scheme={scheme} page={page} href={pageHref(href, page)} />
        })}
      </>
    )
  }
  return { title, path, content: ComponentPage, pages }
}

function checkFrames({ title, widths = [], height = 1 }: ComponentVariant): void {
  for (const pixels of [...widths, height]) {
    if (Number.isSafeInteger(pixels) && pixels > 0) continue
    throw new TypeError(
      `variants: '${title}' has a frame of ${pixels}; write whole pixels, such as widths: [390, 1280]`,
    )
  }
}
