/** Scrolls a long navigation to the current page. */
export function scrollToCurrentPage(): void {
  const link = document.querySelector<HTMLElement>('.sw-nav [aria-current]')
  const nav = link?.closest('nav')
  if (link && nav) nav.scrollTop = link.offsetTop - nav.clientHeight / 2
}

/** Lists the headings of the current page below its link in the navigation, if there are at least two. */
export function listHeadings(): void {
  const headings = [...document.querySelectorAll('.sw-content h2[id]:not(.sw-strip h2)')]
  if (headings.length < 2) return
  document.querySelector('.sw-outline')?.append(
    ...headings.map((heading) => {
      const item = document.createElement('li')
      const link = item.appendChild(document.createElement('a'))
      link.href = `#${encodeURIComponent(heading.id)}`
      link.textContent = heading.textContent
      return item
    }),
  )
}

/**
 * Paints the values that only an inline style can paint, such as conic gradients. The server's markup has no inline
 * styles, because a Content-Security-Policy may forbid them.
 */
export function paintValues(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-sw-background]')) {
    element.style.background = element.dataset.swBackground ?? ''
  }
}

/** Keeps each specimen of text as high as its text, which has an estimated height without the script. */
export function fitSpecimens(): void {
  const observer = new ResizeObserver((entries) => {
    // A property, since the reset of a site, such as that of Bulma, overrides an attribute.
    for (const { target, contentRect } of entries)
      target.closest('svg')?.style.setProperty('height', `${contentRect.height}px`)
  })
  for (const text of document.querySelectorAll('.sw-leading div')) observer.observe(text)
}

/**
 * Warns on a developer's machine if no rule of the stylesheet applies to the page: the stylesheet is not linked or
 * imported, or its URL responds with an error. Checks the host name, because the script in production is the same.
 */
export function warnOfMissingStylesheet(): void {
  const page = document.querySelector('.sw-styleguide')
  if (!page || !/^localhost$|^127\.|^\[::1]/.test(location.hostname)) return
  if (getComputedStyle(page).getPropertyValue('--sw-bg')) return
  console.warn('sitewright/styleguide.css: expected on this page, got none of it')
}
