const key = 'sw-scheme'
const sheet = new CSSStyleSheet()

/**
 * Remembers the color scheme, and applies it before the first paint. By a stylesheet of its own: the radio buttons are
 * not there yet, and an attribute of the root element would be one that React does not know. The same sheet tells the
 * stylesheet of the styleguide that the script is there.
 */
export function rememberScheme(): void {
  apply()
  document.adoptedStyleSheets.push(sheet)
  document.addEventListener('DOMContentLoaded', check)
  addEventListener('pageshow', check) // a page out of the back/forward cache may show an older choice
  addEventListener('storage', check)
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== key) return
    try {
      localStorage.setItem(key, target.value)
    } catch {
      // Storage is refused or full: the choice holds for this page.
    }
    apply(target.value)
  })
}

function check(): void {
  const scheme = apply()
  const radio = document.getElementById(`sw-${scheme}`)
  if (radio instanceof HTMLInputElement) radio.checked = true
}

function apply(scheme = read()): string {
  sheet.replaceSync(`:root{--sw-scripted:flex;${scheme === 'system' ? '' : `color-scheme:${scheme}`}}`)
  return scheme
}

function read(): string {
  try {
    const scheme = localStorage.getItem(key)
    if (scheme === 'light' || scheme === 'dark') return scheme
  } catch {
    // Storage is refused.
  }
  return 'system'
}
