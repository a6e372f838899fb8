import type * as React from 'react'
import { filledByScript, type StyleguideContent, type StyleguideContentProps, type StyleguideTree } from '../content.js'
import { describeThrownValue, SafeContent } from '../errors/page-error.js'
import { PageSection } from './page-section.js'
import { SourceCode } from './source-code.js'

/** A variant of a component. */
export interface ComponentVariant {
  title: string
  /** Elements, or a component. If the content throws, the error is shown in its place. */
  content?: StyleguideContent
  /**
   * The content as HTML of your own templates, in place of `content`. It is not escaped. An async function needs a
   * server that streams with React 19.
   *
   * @example () => pug.renderFile('views/button.pug', { text: 'Read on' })
   */
  html?: HtmlSource | undefined
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
  /**
   * Returns the content, and each state, within the elements that surround it on the site, such as a header whose font it
   * inherits.
   *
   * @example (content) => <header className="masthead">{content}</header>
   */
  decorator?: ((content: React.ReactNode) => React.ReactNode) | undefined
  /** `'fullscreen'` for a component that touches the edges of the window. Default `'padded'`. */
  layout?: 'padded' | 'fullscreen' | undefined
}

/** A state of a component. */
export interface ComponentState {
  title: string
  content?: StyleguideContent
  /** The content as HTML, in place of `content`. */
  html?: HtmlSource | undefined
}

/** HTML, or a function that returns it. */
export type HtmlSource = string | (() => string | Promise<string>)

/** Returns a variant or a state whose content is its HTML, if it has any. */
export function withHtml<Shown extends ComponentState>(shown: Shown): Shown {
  const { html } = shown
  if (html === undefined) return shown
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the HTML of the site's own templates
  const show = (text: string) => <div dangerouslySetInnerHTML={{ __html: text }} />
  const render = () => {
    const text = typeof html === 'function' ? html() : html
    return typeof text === 'string' ? show(text) : text.then(show)
  }
  return { ...shown, content: render }
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
  const { title, source, states = [], widths = usualWidths, height } = variant
  const first = variant.widths?.[0]
  return (
    <PageSection title={title} id={page.path}>
      <div className="sw-stage" data-sw-width={first}>
        <div className="sw-tools">
          <a href={href}>
            Open in a new page<span className="sw-hidden">: {title}</span>
          </a>
          <fieldset aria-label={`Width of ${title}`}>
            {['', ...[...widths].sort((a, b) => a - b)].map((width) => (
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
            <figure key={frameScheme} className={states.length > 1 ? 'sw-frame sw-long' : 'sw-frame'}>
              <figcaption className="sw-small">
                <strong>{frameScheme === 'light' ? 'Light' : 'Dark'}</strong>{' '}
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
  /** URLs of the site's stylesheets for this page. */
  stylesheets: readonly string[]
  /** Props for content that is a component. */
  props: StyleguideContentProps
}

/** Adds surroundings, with a mark where the component begins, for programs such as `styleguide check`. */
function surround(element: React.ReactElement, decorator: ComponentVariant['decorator']): React.ReactNode {
  if (!decorator) return element
  return decorator(
    <>
      <template data-sw-component="" />
      {element}
    </>,
  )
}

/** The content of a variant's page: the variant, and its states in one line. */
export function VariantContent({ variant, stylesheets, props }: VariantContentProps) {
  const { states = [], layout = 'padded', decorator } = variant
  const shown = [variant, ...states].map(withHtml).map(({ title, content }) => ({
    title,
    element: surround(<SafeContent content={content} props={props} renderError={renderError} />, decorator),
  }))
  return (
    <>
      {stylesheets.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      <div className={`sw-${layout}${states.length > 0 ? ' sw-states' : ''}`}>
        {states.length === 0
          ? shown[0]?.element
          : shown.map(({ title, element }) => (
              <figure key={title}>
                {element}
                <figcaption>{title}</figcaption>
              </figure>
            ))}
      </div>
    </>
  )
}

function renderError(thrown: unknown): React.ReactElement {
  console.error('styleguide: a variant threw', thrown)
  return <strong className="sw-problem">{describeThrownValue(thrown)}</strong>
}
