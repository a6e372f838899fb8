/** Adds a link to itself to each heading of the content that has an id and no link yet. */
export function linkHeadings(): void {
  // On the first interaction after the page is complete, since React may hydrate it until then.
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
