import type * as React from 'react'
import { optionError } from '../../../core/option-error.js'
import {
  checkInteger,
  checkKnownOptions,
  checkString,
  type OptionChecks,
  oneOf,
  required,
  unchecked,
} from '../../../core/options.js'
import { createUniqueSlugs, pageHref } from '../../../core/styleguide/internal.js'
import type { StyleguideContentProps, StyleguideTree } from '../content.js'
import { type ComponentVariant, VariantSection } from './variant.js'

export interface ComponentPageOptions {
  title: string
  /** The page's URL segment. Default: the title's slug. */
  path?: string | undefined
  /** A description of the component, shown above its variants. */
  description?: React.ReactNode
  variants: readonly ComponentVariant[]
  /** The only color scheme that the component supports. Default: the styleguide's color scheme. */
  scheme?: 'light' | 'dark' | undefined
}

const checks: OptionChecks<ComponentPageOptions> = {
  title: required(checkString),
  path: checkString,
  description: unchecked,
  variants: unchecked,
  scheme: oneOf('light', 'dark'),
}

/**
 * Creates a page that shows a component's variants, each beside its source and, if it has `widths`, in frames of those
 * widths. Each variant gets its own page below, without the shell: `/styleguide/card/wide`.
 *
 * @throws TypeError for a frame width or height that is not a positive whole number.
 * @example
 * componentPage({
 *   title: 'Card',
 *   variants: [{ title: 'Wide', content: <Card span={6} />, source: '<Card span={6} />', widths: [390, 1280] }],
 * })
 */
export function componentPage(options: ComponentPageOptions): StyleguideTree {
  const { title, path, description, variants, scheme } = checkKnownOptions(
    options,
    checks,
    "componentPage({ title: 'Card', variants: [{ title: 'Wide', content }] })",
  )
  if (!Array.isArray(variants)) throw optionError('variants', 'a list of variants', variants)
  for (const variant of variants) checkFrames(variant)
  const uniqueSlug = createUniqueSlugs('variant')
  const pages = variants.map(({ title, content }) => ({ title, path: uniqueSlug(title), content, bare: true }))

  function ComponentPage({ href }: StyleguideContentProps): React.ReactElement {
    if (variants.length === 0) return <p className="sw-empty">No variants found</p>
    return (
      <>
        {description}
        {variants.map((variant, index) => {
          const page = pages[index] as StyleguideTree
          return (
            <VariantSection key={page.path} variant={variant} scheme={scheme} page={page} href={pageHref(href, page)} />
          )
        })}
      </>
    )
  }
  return { title, path, content: ComponentPage, pages }
}

function checkFrames({ title, widths = [], height = 1 }: ComponentVariant): void {
  for (const width of widths) checkInteger(`widths of variant '${title}'`, width, 1)
  checkInteger(`height of variant '${title}'`, height, 1)
}
