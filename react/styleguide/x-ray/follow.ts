import { type CardOptions, createCard, spacesOf } from './card.js'
import { elementAt, neighborOf } from './elements.js'
import type { Stray } from './measure.js'
import { node, placeLabels, placeOver } from './nodes.js'

/** Outlines the strays of a page, and shows the card of the element at the pointer, or to which the keys lead. */
export function follow(root: HTMLElement, page: Document, options: CardOptions): void {
  const find = (selector: string) => root.querySelector(selector) as HTMLElement
  const [frame, stage, card] = [find('iframe'), find('.sw-stage-x'), find('.sw-card')]
  const [box, marks, list, tab] = [find('.sw-box'), find('.sw-marks'), find('.sw-strays'), find('[value=Point]')]
  let current: Element | undefined

  const draw = () => {
    card.hidden = box.hidden = !current
    if (!current) return
    placeOver(box, frame, current)
    const [place, space] = spacesOf(current)[0] ?? []
    box.style.setProperty('--sw-space', `${place?.startsWith('above') ? space : 0}px`)
  }
  const drawAll = () => {
    marks.replaceChildren(...options.strays.flatMap(marksOf))
    placeLabels(page, frame, marks.querySelectorAll('span'))
    draw()
  }
  const show = (element: Element | undefined, isPinned = false) => {
    current = element
    card.toggleAttribute('data-sw-pinned', isPinned && element !== undefined)
    if (element) card.replaceChildren(...createCard(element, options))
    for (const [at, { elements }] of options.strays.entries())
      list.children[at]?.toggleAttribute(
        'data-sw-current',
        elements.some((one) => one === element),
      )
    // The arrow keys go on from here, but do not take the keys from the field for the page's path.
    if (!document.activeElement?.matches('.sw-field')) stage.focus({ preventScroll: true })
    const isTall = element !== undefined && element.clientHeight > frame.clientHeight / 2
    card.toggleAttribute('data-sw-apart', isTall)
    if (isPinned) {
      tab.click()
      element?.scrollIntoView({ block: isTall ? 'nearest' : 'center' })
    }
    draw()
  }
  const isPinned = () => card.hasAttribute('data-sw-pinned')
  const point = (element: Element | undefined) => element !== current && !isPinned() && show(element)
  const pin = (element: Element | undefined) => show(element === current && isPinned() ? undefined : element, true)
  const marksOf = ({ elements, token }: Stray, index: number) =>
    elements.map((element, place) => {
      const label = node('span', '', [`${index + 1}`, node('i', '', [` → ${token.name}`])])
      label.addEventListener('pointerenter', () => point(element))
      label.addEventListener('click', () => pin(element))
      const mark = node('div', '', place === 0 ? [label] : [])
      placeOver(mark, frame, element)
      return mark
    })
  const onKey = (event: KeyboardEvent) => {
    const isPin = event.key === 'Enter' && event.target === stage
    const next = isPin ? current : neighborOf(current ?? page.body, event.key)
    if (!next && event.key !== 'Escape') return
    event.preventDefault()
    show(next, true)
  }
  const onClick = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
    pin(elementAt(page, event.clientX, event.clientY))
  }

  page.addEventListener('pointermove', ({ clientX, clientY }) => point(elementAt(page, clientX, clientY)))
  page.addEventListener('click', onClick, { capture: true })
  page.addEventListener('scroll', drawAll, { passive: true })
  page.addEventListener('keydown', onKey)
  stage.onkeydown = onKey
  frame.onpointerleave = () => point(undefined)
  for (const [at, item] of [...list.children].entries())
    item.addEventListener('click', () => show(options.strays[at]?.elements[0], true))
  new ResizeObserver(drawAll).observe(page.body)
}
