/** Scrolls a long navigation to the current page. */
export function scrollToCurrentPage(): void {
  document.addEventListener('DOMContentLoaded', () => {
    const link = document.querySelector<HTMLElement>('.sw-nav [aria-current]')
    const nav = link?.closest('nav')
    if (link && nav) nav.scrollTop = link.offsetTop - nav.clientHeight / 2
  })
}
