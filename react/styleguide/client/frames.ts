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
  // Not scrollHeight, which is never less than the frame's own height.
  const { height } = content.documentElement.getBoundingClientRect()
  if (height > 0) frame.height = String(Math.ceil(height))
}
