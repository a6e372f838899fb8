/**
 * A page with Vite's overlay, for development. The error is in the page itself: one that is sent over Vite's socket may
 * still reach the page before.
 *
 * @param {unknown} error
 */
export function overlayPage(error) {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const shown = JSON.stringify({ message, stack }).replaceAll('<', '\\u003c')
  return `<!doctype html><title>Error</title><body><script type="module">
import { ErrorOverlay } from '/@vite/client'
document.body.append(new ErrorOverlay(${shown}))
</script>`
}
