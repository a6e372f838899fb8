/**
 * Shows components in their pictures as a whole, in the middle. A component that is meant for a whole window fills its
 * picture, which gets the component's height.
 *
 * @example fitPictures(document)
 */
export function fitPictures(root: ParentNode): void {
  for (const frame of root.querySelectorAll<HTMLIFrameElement>('.sw-picture > iframe')) {
    const update = () => fitPicture(frame)
    frame.addEventListener('load', update)
    // The update follows the callback, because changes within the callback would trigger the observer again.
    new ResizeObserver(() => requestAnimationFrame(update)).observe(frame.parentElement as HTMLElement)
  }
}

function fitPicture(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument
  const picture = frame.parentElement as HTMLElement
  if (content?.readyState !== 'complete' || content.URL === 'about:blank') return
  // Measure at height 0, because a page may be set to be at least as high as its window.
  frame.style.height = '0'
  const { height } = content.documentElement.getBoundingClientRect()
  frame.style.height = height > 0 ? `${height}px` : ''
  if (height === 0) return
  const isWide = picture.closest('.sw-wide') !== null
  const scale = Math.min(picture.clientWidth / frame.offsetWidth, isWide ? 1 : picture.clientHeight / height)
  if (isWide) picture.style.height = `${height * scale}px`
  const [x, y] = [picture.clientWidth - frame.offsetWidth * scale, picture.clientHeight - height * scale]
  frame.style.transform = `translate(${x / 2}px, ${y / 2}px) scale(${scale})`
}
