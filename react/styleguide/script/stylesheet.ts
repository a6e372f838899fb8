/**
 * Warns on a developer's machine when the page has no rule of the stylesheet: it is not linked or imported, or its URL
 * answers with an error. By the host name, since this script is the same in production.
 */
export function warnOfMissingStylesheet(): void {
  const page = document.querySelector('.sw-styleguide')
  if (!page || !/^localhost$|^127\.|^\[::1]/.test(location.hostname)) return
  if (getComputedStyle(page).getPropertyValue('--sw-bg')) return
  console.warn('sitewright/styleguide.css: expected on this page, got none of it')
}
