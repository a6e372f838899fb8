const open = 'data-sw-open'

/**
 * Opens and closes the detail of a swatch on a click. Without the script, the swatch's link opens the detail, but also
 * scrolls the page and adds an entry to the history.
 */
export function openSwatches(): void {
  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return
    const target = event.target.closest('.sw-chip, .sw-close')
    if (!target) return
    event.preventDefault()
    show(target.matches(`.sw-chip:not([${open}])`) ? target : null)
  })
  document.addEventListener('keydown', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('.sw-palette')) return
    if (event.key === 'Escape') show(null)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const chips = [...document.querySelectorAll<HTMLElement>('.sw-chip')]
    const index = chips.indexOf(event.target as HTMLElement)
    if (step && index >= 0) chips[index + step]?.focus()
  })
  addEventListener('hashchange', showTarget)
}

/** Opens the detail of the swatch that the address names. */
export function showTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target?.matches('.sw-chip')) show(target)
}

function show(chip: Element | null): void {
  const previous = document.querySelector<HTMLElement>(`[${open}]`)
  for (const name of [open, 'aria-expanded']) {
    previous?.removeAttribute(name)
    chip?.setAttribute(name, 'true')
  }
  if (!chip) previous?.focus({ preventScroll: true })
  const url = chip ? `#${encodeURIComponent(chip.id)}` : location.pathname + location.search
  history.replaceState(history.state, '', url)
}
