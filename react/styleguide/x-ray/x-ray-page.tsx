import type * as React from 'react'
import { indexFile } from '../../../core/styleguide/internal.js'

interface XRayPageProps {
  rootHref: string
  /** URL of the folder with `x-ray.js` and `x-ray.css`; `undefined` while X-ray is off. */
  files: string | undefined
}

/**
 * The page that opens a page of the site in a frame and measures it. No other page loads its script and its stylesheet.
 */
export function XRayPage({ rootHref, files }: XRayPageProps): React.ReactElement {
  if (files === undefined) {
    return (
      <p className="sw-empty">
        X-ray is off. It is on in development; for a preview, render <code>{'<StyleguidePage xRay />'}</code>.
      </p>
    )
  }
  return (
    <div className="sw-xray" data-sw-index={`${rootHref}/${indexFile}`}>
      <link rel="stylesheet" href={`${files}/x-ray.css`} />
      <form className="sw-tools">
        <label htmlFor="sw-page">X-ray</label>
        <input className="sw-field" id="sw-page" name="page" defaultValue="/" autoComplete="off" spellCheck={false} />
        <fieldset aria-label="Width of the page">
          {['', '390', '768'].map((width) => (
            <label key={width}>
              <input className="sw-hidden" type="radio" name="sw-width" value={width} defaultChecked={width === ''} />
              <span className="sw-choice">{width || 'Full'}</span>
            </label>
          ))}
        </fieldset>
      </form>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys lead through the page within */}
      <section className="sw-stage-x" tabIndex={0} aria-label="Page: the arrow keys lead through its elements">
        <iframe title="Page" />
        <div className="sw-marks" aria-hidden="true" />
        <div className="sw-box" aria-hidden="true" hidden />
        <section className="sw-card" aria-live="polite" aria-label="Element" hidden />
      </section>
      <section className="sw-side" aria-label="Strays">
        <h2 className="sw-count">X-ray</h2>
        <p role="status">This needs JavaScript, and the files x-ray.js and x-ray.css, which packageFiles() serves.</p>
        <ol className="sw-strays" />
        <h2>Made of</h2>
        <div className="sw-made" />
        <p className="sw-keys">
          <kbd>↑</kbd> <kbd>↓</kbd>&nbsp;out,&nbsp;in&emsp; <kbd>←</kbd> <kbd>→</kbd>&nbsp;beside&emsp; <kbd>Enter</kbd>
          &nbsp;pin&emsp; <kbd>Esc</kbd>&nbsp;leave
        </p>
      </section>
      <fieldset className="sw-tabs" aria-label="Beside the page">
        {['Point', 'Strays'].map((name) => (
          <label key={name}>
            <input className="sw-hidden" type="radio" name="sw-tab" value={name} defaultChecked={name === 'Strays'} />
            <span className={name === 'Strays' ? 'sw-count' : undefined}>{name}</span>
          </label>
        ))}
      </fieldset>
      <script src={`${files}/x-ray.js`} defer />
    </div>
  )
}
