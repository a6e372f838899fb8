/**
 * Returns a page with Vite's error overlay, for development. The error is part of the page, since one sent over Vite's
 * socket could arrive at the previous page.
 *
 * @param {unknown} error
 */
export function overlayPage(error) {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const json = JSON.stringify({ message, stack }).replaceAll('<', '\\u003c')
  return `<!doctype html><title>Error</title><body><script type="module">
import { ErrorOverlay } from '/@vite/client'
document.body.append(new ErrorOverlay(${json}))
</script>`
}
