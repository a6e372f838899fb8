/**
 * Sets up the frames of components: their buttons, and a height that fits the content. A frame that is wider than the
 * available space is scaled down.
 *
 * @example arrangeFrames(document)
 */
export function arrangeFrames(root: ParentNode): void {
  for (const stage of root.querySelectorAll<HTMLElement>('.sw-stage')) {
    const windows = [...stage.querySelectorAll<HTMLElement>('.sw-window')]
    const first = stage.dataset.swWidth ?? ''
    let place = 0
    // The script's own choice, which follows the available space until the visitor chooses a width.
    let initial = stage.dataset.swWidth
    const update = () => {
      const isResized = stage.clientWidth !== place
      place = stage.clientWidth
      if (!isResized) return arrange(stage, windows)
      // At a width of which less than half would fit, a component is too small for its first sight.
      if (stage.dataset.swWidth === initial) initial = stage.dataset.swWidth = Number(first) > 2 * place ? '' : first
      choose(stage, windows)
    }
    // The update follows the callback, because changes within the callback would trigger the observer again.
    const observer = new ResizeObserver(() => requestAnimationFrame(update))
    observer.observe(stage)
    for (const frame of stage.querySelectorAll('iframe')) frame.addEventListener('load', update)
    stage.addEventListener('click', ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return
      initial = undefined
      stage.dataset.swWidth = target.value
      choose(stage, windows)
    })
    update()
  }
  for (const frame of root.querySelectorAll<HTMLIFrameElement>('.sw-picture > iframe')) {
    frame.addEventListener('load', () => fitHeight(frame))
    // Calls back at once, and again when the page gets another width, while the measured frame keeps its own.
    new ResizeObserver(() => requestAnimationFrame(() => fitHeight(frame))).observe(frame.parentElement ?? frame)
  }
}

/** Sets the width of all windows of a component. Stacks windows that are too wide to stand side by side. */
function choose(stage: HTMLElement, windows: readonly HTMLElement[]): void {
  stage.removeAttribute('data-sw-stacked')
  const isTooWide = windows.length > 1 && windows.some((window) => Number(stage.dataset.swWidth) > placeOf(window))
  stage.toggleAttribute('data-sw-stacked', isTooWide)
  arrange(stage, windows)
}

function arrange(stage: HTMLElement, windows: readonly HTMLElement[]): void {
  for (const button of stage.querySelectorAll('button')) {
    button.ariaPressed = String(button.value === stage.dataset.swWidth)
  }
  for (const window of windows) setWidth(window, Number(stage.dataset.swWidth))
}

/** Sets the width of a window in pixels; 0 for the full available width. */
function setWidth(window: HTMLElement, width: number): void {
  const frame = window.querySelector('iframe')
  if (!frame) return
  const scale = Math.min(1, placeOf(window) / (width || 1))
  window.style.width = width && scale === 1 ? `${width}px` : ''
  frame.style.width = scale < 1 ? `${width}px` : ''
  frame.style.transform = scale < 1 ? `scale(${scale})` : ''
  fitHeight(frame)
  window.style.height = scale < 1 ? `${Math.ceil(frame.offsetHeight * scale)}px` : ''
  const label = window.parentElement?.querySelector('figcaption > span')
  // The document of a page that may not be framed belongs to the browser, so it is not readable.
  const blocked = frame.contentDocument ? '' : ' · blocked by X-Frame-Options'
  if (label)
    label.textContent = `${frame.offsetWidth} px${scale < 1 ? ` · ${Math.round(scale * 100)} %` : ''}${blocked}`
}

/** Returns the width that is available to a window. */
const placeOf = (window: HTMLElement) => window.parentElement?.clientWidth ?? 0

/**
 * Sets the height of a loaded frame to that of its content, and the proportions by which the stylesheet shows a picture as a
 * whole. A frame from another origin keeps its height.
 */
function fitHeight(frame: HTMLIFrameElement): void {
  const content = frame.contentDocument
  if (frame.dataset.swFit === undefined || content?.readyState !== 'complete' || content.URL === 'about:blank') return
  const { documentElement } = content
  const [heightBefore, picture] = [frame.height, frame.closest<HTMLElement>('.sw-picture')]
  const measure = (window: string) => {
    frame.style.setProperty('--sw-window', window)
    return Math.ceil(documentElement.getBoundingClientRect().height)
  }
  // Measure at height 0, and not with scrollHeight, because a page may be set to be at least as high as its window.
  frame.height = '0'
  let height = measure('')
  if (picture) {
    // The window is as wide as content that overflows. It is narrow around narrow content, if nothing wraps then.
    const { scrollWidth } = documentElement
    measure(`${widthAround(content, scrollWidth)}px`)
    const narrow = measure(`${documentElement.scrollWidth}px`)
    if (narrow !== height || frame.closest('.sw-wide')) height = measure(`${scrollWidth}px`)
  }
  frame.height = String(height || heightBefore)
  picture?.style.setProperty('--sw-ratio', `${frame.offsetWidth / frame.offsetHeight}`)
}

/** Returns the width of a window in which narrow content, such as a button or a line of links, is in the middle. */
function widthAround(content: Document, width: number): number {
  let [start, end] = [width, 0]
  // Boxes without boxes in them are seen, while those around them take the available width.
  for (const element of content.body.querySelectorAll('a, button, :not(:has(*))')) {
    const box = element.getBoundingClientRect()
    if (box.width === 0) continue
    start = Math.min(start, box.left)
    end = Math.max(end, box.right)
  }
  return Math.ceil(width - Math.abs(width - start - end))
}
