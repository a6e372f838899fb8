/**
 * Marks the current breakpoint for screen readers, and keeps it up to date: of all elements with a media query in
 * `data-sw-media`, shows the last one that matches, with `data-sw-current`, and hides the others.
 *
 * @example markBreakpoints(document)
 */
export function markBreakpoints(root: ParentNode): void {
  const marks = [...root.querySelectorAll<HTMLElement>('[data-sw-media]')].map((element) => ({
    element,
    query: matchMedia(element.dataset.swMedia ?? ''),
  }))
  const update = () => {
    const current = marks.findLast(({ query }) => query.matches)
    for (const { element } of marks) {
      const isCurrent = element === current?.element
      element.hidden = !isCurrent
      element.toggleAttribute('data-sw-current', isCurrent)
    }
  }
  for (const { query } of marks) query.addEventListener('change', update)
  update()
}
