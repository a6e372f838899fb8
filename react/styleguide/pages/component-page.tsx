import * as React from 'react'
import {
  checkInteger,
  checkKnownOptions,
  checkString,
  type OptionChecks,
  oneOf,
  required,
  unchecked,
  withMethod,
} from '../../../core/options.js'
import type { ComponentProp, StyleguideComponent } from '../../../core/styleguide/index.js'
import { createUniqueSlugs, pageHref } from '../../../core/styleguide/internal.js'
import { type StyleguideContentProps, type StyleguideTree, textOf } from '../content.js'
import { TableSection } from './page-section.js'
import {
  type ComponentState,
  type ComponentVariant,
  schemesOf,
  usualWidths,
  VariantContent,
  VariantSection,
} from './variant.js'

export interface ComponentPageOptions {
  /** The name of the component, in the navigation and as the heading. */
  title: string
  /** The page's URL segment. Default: the title's slug. */
  path?: string | undefined
  /** The purpose of the component, shown above its variants; a text also with its picture and in the search. */
  description?: React.ReactNode
  /** The component in each of its looks, in the order of the page. */
  variants: readonly ComponentVariant[]
  /** The component's props, for a table below the variants. */
  props?: readonly ComponentProp[] | undefined
  /**
   * URLs of the stylesheets that the component needs, for the frames alone. Default: none, for a site whose pages of the
   * styleguide have its stylesheet in the head.
   */
  stylesheets?: readonly string[] | undefined
  /** The only color scheme that the component supports. Default: both, side by side. */
  scheme?: 'light' | 'dark' | undefined
}

const checks: OptionChecks<ComponentPageOptions> = {
  title: required(checkString),
  path: checkString,
  description: unchecked,
  variants: required(withMethod('map', 'a list of variants')),
  props: withMethod('map', 'a list of props'),
  stylesheets: withMethod('map', "a list of URLs, such as ['/site.css']"),
  scheme: oneOf('light', 'dark'),
}

/**
 * Creates a page that shows a component's variants. Each variant is shown in two frames, light and dark, with its
 * source below, and widths to choose from. Each variant also has a separate page without the shell:
 * `/styleguide/card/wide`.
 *
 * @throws TypeError for a frame width or height that is not a positive whole number.
 * @example
 * componentPage({
 *   title: 'Card',
 *   variants: [{ title: 'Wide', content: <Card span={6} />, source: '<Card span={6} />', widths: [390, 1280] }],
 *   props: [{ name: 'span', type: '4 | 6', defaultValue: '4', description: 'Columns of the grid.' }],
 * })
 */
export function componentPage(options: ComponentPageOptions): StyleguideTree {
  const {
    title,
    path,
    description,
    variants,
    props = [],
    stylesheets = [],
    scheme,
  } = checkKnownOptions(options, checks, "componentPage({ title: 'Card', variants: [{ title: 'Wide', content }] })")
  for (const variant of variants) checkFrames(variant)
  const uniqueSlug = createUniqueSlugs('variant')
  const pages = variants.map((variant) => ({
    title: variant.title,
    path: uniqueSlug(variant.title),
    content: (props: StyleguideContentProps) => (
      <VariantContent variant={variant} stylesheets={stylesheets} props={props} />
    ),
    bare: true,
  }))

  function ComponentPage({ href }: StyleguideContentProps): React.ReactElement {
    return (
      <>
        {typeof description !== 'string' && description}
        {variants.length === 0 && <p className="sw-empty">No variants found</p>}
        {variants.map((variant, index) => {
          const page = pages[index] as StyleguideTree
          // Of variants with the same source, the last one shows it.
          const source = variants[index + 1]?.source === variant.source ? undefined : variant.source
          const shown = { variant: { ...variant, source }, scheme, page, href: pageHref(href, page) }
          return <VariantSection key={page.path} {...shown} />
        })}
        <PropsSection props={props} />
      </>
    )
  }
  const text = typeof description === 'string' ? description : undefined
  const component: StyleguideComponent = {
    description: textOf(description).trim() || undefined,
    props,
    schemes: schemesOf(scheme),
    variants: variants.map(({ title, states = [], widths = usualWidths, height }) => {
      return { title, states: states.map((state: ComponentState) => state.title), widths, height }
    }),
  }
  return { title, path, description: text, content: ComponentPage, pages, component }
}

function checkFrames({ title, widths = [], height = 1 }: ComponentVariant): void {
  for (const width of widths) checkInteger(`widths of variant '${title}'`, width, 1)
  checkInteger(`height of variant '${title}'`, height, 1)
}

/** A table of props. Renders nothing for an empty list. */
export function PropsSection({ props }: { props: readonly ComponentProp[] }) {
  if (props.length === 0) return null
  const columns = props.some(({ description }) => description) ? 3 : 2
  return (
    <TableSection
      title="Props"
      className="sw-props"
      head={['Prop', 'Default', 'Description'].slice(0, columns)}
      rows={props.map(({ name, type, defaultValue, description, required }) =>
        [
          <React.Fragment key={name}>
            {name}
            {!required && '?'}
            <span>{type}</span>
          </React.Fragment>,
          defaultValue ?? (required ? 'required' : '–'),
          // Every second part is the text between two backticks.
          description?.split(/`([^`]+)`/).map((part, index) => (index % 2 ? <code key={part}>{part}</code> : part)),
        ].slice(0, columns),
      )}
    />
  )
}
