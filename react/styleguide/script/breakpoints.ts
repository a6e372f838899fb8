/**
 * Keeps marked which breakpoint holds in this window, so that it is spoken, too: of all elements with a media query in
 * `data-sw-media`, the last that matches is shown, has `data-sw-current`, and the others are hidden.
 *
 * @example markBreakpoints(document)
 */
export function markBreakpoints(root: ParentNode): void {
  const marks = [...root.querySelectorAll<HTMLElement>('[data-sw-media]')].map((element) => ({
    element,
    query: matchMedia(element.dataset.swMedia ?? ''),
  }))
  const mark = () => {
    const current = marks.findLast(({ query }) => query.matches)
    for (const { element } of marks) {
      const isCurrent = element === current?.element
      element.hidden = !isCurrent
      element.toggleAttribute('data-sw-current', isCurrent)
    }
  }
  for (const { query } of marks) query.addEventListener('change', mark)
  mark()
}
