/** Gives the headings of a page's content that have an id, and no link of their own, a link to themselves. */
export function linkHeadings(): void {
  // At the reader's first move, and not before the page is complete: React may hydrate it until then.
  for (const type of ['pointermove', 'pointerdown', 'keydown']) document.addEventListener(type, link, { passive: true })
}

function link(): void {
  if (document.readyState !== 'complete') return
  for (const type of ['pointermove', 'pointerdown', 'keydown']) document.removeEventListener(type, link)
  for (const heading of document.querySelectorAll('.sw-content :is(h2,h3)[id]:not(:has(a))')) {
    const anchor = heading.appendChild(document.createElement('a'))
    anchor.className = 'sw-anchor'
    anchor.href = `#${encodeURIComponent(heading.id)}`
    anchor.ariaLabel = `# ${heading.textContent}`
  }
}
