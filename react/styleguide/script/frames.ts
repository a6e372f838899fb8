/**
 * Makes the frames with `data-sw-fit` as high as what is in them, once they are loaded. A frame of another origin keeps
 * its height, since nobody may look into it.
 *
 * @example fitFrames(document)
 */
export function fitFrames(root: ParentNode): void {
  for (const frame of root.querySelectorAll<HTMLIFrameElement>('iframe[data-sw-fit]')) {
    frame.addEventListener('load', () => adapt(frame))
    adapt(frame) // it may have been loaded before this script
  }
}

function adapt(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument
  if (content?.readyState !== 'complete' || content.URL === 'about:blank') return
  const before = frame.height
  // Measured in no room at all, since a page may be at least as high as its window; and not by scrollHeight, which is too.
  frame.height = '0'
  const { height } = content.documentElement.getBoundingClientRect()
  frame.height = height > 0 ? String(Math.ceil(height)) : before
}
