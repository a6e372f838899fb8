import * as React from 'react'
import {
  filledByScript,
  isComponent,
  isFunctionContent,
  type StyleguideContent,
  type StyleguideContentProps,
  type StyleguideTree,
} from '../content.js'
import { describeThrownValue, tryRender } from '../errors/page-error.js'
import { PageSection } from './page-section.js'
import { SourceCode } from './source-code.js'

/** A variant of a component. */
export interface ComponentVariant {
  title: string
  /** Elements, or a component. If the content throws, the error is shown in its place. */
  content: StyleguideContent
  /** The component in other states, such as disabled or invalid, shown after the content in one line. */
  states?: readonly ComponentState[] | undefined
  /** Source code to show below the variant: a snippet, or a module's text, such as an import with Vite's `?raw`. */
  source?: string | undefined
  /**
   * Window widths to choose from, in pixels. A window that is wider than the available space is scaled down. The script
   * sets the first of these widths initially. Default: 390, 768 and 1280, and initially the available width.
   */
  widths?: readonly number[] | undefined
  /** Height of the frames in pixels. Default: 320, and with the styleguide's script the height of the content. */
  height?: number | undefined
  /** `'fullscreen'` for a component that touches the edges of the window. Default `'padded'`. */
  layout?: 'padded' | 'fullscreen' | undefined
}

/** A state of a component. */
export interface ComponentState {
  title: string
  content: StyleguideContent
}

interface VariantProps {
  variant: ComponentVariant
  scheme: 'light' | 'dark' | undefined
  /** The page of this variant. */
  page: StyleguideTree
  /** URL of the variant's page. */
  href: string | undefined
}

export const usualWidths = [390, 768, 1280]

/** The color schemes of the frames. */
export function schemesOf(scheme: 'light' | 'dark' | undefined) {
  return scheme ? [scheme] : (['light', 'dark'] as const)
}

/** Shows a variant's page in frames, light and dark, with widths to choose from, and its source below. */
export function VariantSection({ variant, scheme, page, href }: VariantProps) {
  const { title, source, widths = usualWidths, height } = variant
  const first = variant.widths?.[0]
  return (
    <PageSection title={title} id={page.path}>
      <div className="sw-stage" data-sw-width={first}>
        <div className="sw-tools">
          <a href={href}>
            Open in a new page<span className="sw-hidden">: {title}</span>
          </a>
          <fieldset aria-label={`Width of ${title}`}>
            {['', ...widths].map((width) => (
              <button
                key={width}
                className="sw-choice"
                type="button"
                value={width}
                aria-pressed={width === (first ?? '')}
              >
                {width || 'Full'}
              </button>
            ))}
          </fieldset>
        </div>
        <div className="sw-frames">
          {schemesOf(scheme).map((frameScheme) => (
            <figure key={frameScheme} className="sw-frame">
              <figcaption className="sw-small">
                {frameScheme === 'light' ? 'Light' : 'Dark'}{' '}
                {/* biome-ignore lint/security/noDangerouslySetInnerHtml: an empty constant; the script writes the width here */}
                <span dir="ltr" suppressHydrationWarning dangerouslySetInnerHTML={filledByScript} />
              </figcaption>
              <div className={`sw-window sw-${frameScheme}`}>
                <iframe
                  title={`${title}, ${frameScheme}`}
                  src={href}
                  height={height ?? 320}
                  loading="lazy"
                  data-sw-scheme={frameScheme}
                  data-sw-fit={height === undefined ? '' : undefined}
                />
              </div>
            </figure>
          ))}
        </div>
      </div>
      {source !== undefined && <SourceCode source={source} />}
    </PageSection>
  )
}

interface VariantContentProps {
  variant: ComponentVariant
  /** Props for content that is a component. */
  props: StyleguideContentProps
}

/** The content of a variant's page: the variant, and its states in one line. */
export function VariantContent({ variant, props }: VariantContentProps) {
  const { title, content, states = [], layout = 'padded' } = variant
  if (states.length === 0) {
    return (
      <div className={`sw-${layout}`}>
        <SafeVariant content={content} props={props} />
      </div>
    )
  }
  return (
    <div className={`sw-${layout} sw-states`}>
      {[{ title, content }, ...states].map((state) => (
        <figure key={state.title}>
          <SafeVariant content={state.content} props={props} />
          <figcaption>{state.title}</figcaption>
        </figure>
      ))}
    </div>
  )
}

interface SafeVariantProps {
  content: StyleguideContent
  props: StyleguideContentProps
}

/**
 * Shows a variant's content. If the component or single element throws, shows the error in its place. An error in a
 * component further down fails the whole page of the variant.
 */
function SafeVariant({ content, props }: SafeVariantProps): React.ReactNode {
  const render = findRender(content, props)
  if (!render) return isComponent(content) ? React.createElement(content, props) : content
  return tryRender(render, renderError)
}

/** Returns a function that calls the component of the content; `undefined` if only React can call the component. */
function findRender(content: StyleguideContent, props: StyleguideContentProps) {
  if (isFunctionContent(content)) return () => content(props)
  if (!React.isValidElement<StyleguideContentProps>(content)) return undefined
  const type = content.type as StyleguideContent
  return isFunctionContent(type) ? () => type(content.props) : undefined
}

function renderError(thrown: unknown): React.ReactElement {
  console.error('styleguide: a variant threw', thrown)
  return <strong className="sw-problem">{describeThrownValue(thrown)}</strong>
}
