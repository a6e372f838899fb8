import type { StyleguideLabels } from './labels.js'

// Paths on a grid of 16 by 16: a screen, a sun, a moon.
const icons = {
  system: 'M2 3.5h12v7.5h-12zM6 13.5h4M8 11v2.5',
  light: 'M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1v1.5M8 13.5v1.5M1 8h1.5M13.5 8h1.5M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  dark: 'M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z',
}
const schemes = ['system', 'light', 'dark'] as const

/**
 * Lets the visitor choose between the system's color scheme, light and dark. The stylesheet applies the choice to the
 * current page (`:has(#sw-dark:checked)`); the script remembers it for other pages.
 */
export function SchemeSwitch({ labels }: { labels: StyleguideLabels }) {
  return (
    <fieldset className="sw-scheme" aria-label={labels.scheme}>
      {schemes.map((scheme) => (
        <label key={scheme} title={labels[scheme]}>
          <input
            type="radio"
            name="sw-scheme"
            id={`sw-${scheme}`}
            value={scheme}
            defaultChecked={scheme === 'system'}
          />
          <svg width="16" height="16" fill="none" stroke="currentColor" aria-hidden="true">
            <path d={icons[scheme]} />
          </svg>
          <span className="sw-hidden">{labels[scheme]}</span>
        </label>
      ))}
    </fieldset>
  )
}
