/**
 * Sets the height of frames with `data-sw-fit` to that of their content, once they are loaded. A frame of another origin
 * keeps its height, since its content is not accessible.
 *
 * @example fitFrames(document)
 */
export function fitFrames(root: ParentNode): void {
  for (const frame of root.querySelectorAll<HTMLIFrameElement>('iframe[data-sw-fit]')) {
    frame.addEventListener('load', () => fitFrame(frame))
    fitFrame(frame) // may have been loaded before this script
  }
}

function fitFrame(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument
  if (content?.readyState !== 'complete' || content.URL === 'about:blank') return
  const before = frame.height
  // Measured at height 0, since a page may be at least as high as its window; for the same reason not by scrollHeight.
  frame.height = '0'
  const { height } = content.documentElement.getBoundingClientRect()
  frame.height = height > 0 ? String(Math.ceil(height)) : before
}
