const key = 'sw-scheme'
const sheet = new CSSStyleSheet()

/**
 * Remembers the color scheme, and applies it before the first paint. Uses a separate stylesheet, because the radio
 * buttons do not exist yet, and React would complain about an attribute on the root element. This stylesheet also sets
 * `--sw-scripted`, which tells the styleguide's stylesheet that the script is loaded, and hides the detail of the
 * swatch in the URL's fragment until the script opens the detail.
 */
export function rememberScheme(): void {
  apply()
  document.adoptedStyleSheets.push(sheet)
  addEventListener('pageshow', checkScheme) // a page from the back/forward cache may show an older choice
  addEventListener('storage', checkScheme)
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== key) return
    try {
      localStorage.setItem(key, target.value)
    } catch {
      // Storage is denied or full: the choice applies to this page only.
    }
    apply(target.value)
  })
}

/** Checks the radio button of the remembered scheme. */
export function checkScheme(): void {
  const scheme = apply()
  const radio = document.getElementById(`sw-${scheme}`)
  if (radio instanceof HTMLInputElement) radio.checked = true
}

function apply(scheme = read()): string {
  sheet.replaceSync(
    `:root{--sw-scripted:flex;--sw-plain:none;${scheme === 'system' ? '' : colorScheme(scheme === 'dark')}}.sw-chip:target:not([data-sw-open])+.sw-detail{display:none!important}`,
  )
  return scheme
}

/**
 * Returns the declarations of a color scheme. Next.js compiles `light-dark()` to two custom properties of Lightning
 * CSS: the property of the current scheme is `initial`, and the other property is empty.
 */
function colorScheme(isDark: boolean): string {
  const [scheme, opposite] = isDark ? ['dark', 'light'] : ['light', 'dark']
  return `color-scheme:${scheme};--lightningcss-${scheme}:initial;--lightningcss-${opposite}: ;`
}

function read(): string {
  // The frame of a component sets its scheme by an attribute. `frameElement` is null in a frame from another origin.
  const framed = frameElement?.getAttribute('data-sw-scheme')
  if (framed) return framed
  try {
    const scheme = localStorage.getItem(key)
    if (scheme === 'light' || scheme === 'dark') return scheme
  } catch {
    // Storage is denied.
  }
  return 'system'
}
