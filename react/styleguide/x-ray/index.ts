import type { StyleguideIndex } from '../../../core/styleguide/index.js'
import { hexOf, type Srgb } from '../../../core/styleguide/internal.js'
import { readComponents, showCard } from './card.js'
import { createProbe, measurePage, readTokens, type Stray, type Token } from './measure.js'
import { node, swatch } from './nodes.js'

const root = document.querySelector<HTMLElement>('.sw-xray')
if (root) void open(root)

/** Opens the page of the query in the frame, and measures it whenever it loads or the color scheme changes. */
async function open(root: HTMLElement): Promise<void> {
  const frame = root.querySelector('iframe') as HTMLIFrameElement
  const input = root.querySelector('input[name=page]') as HTMLInputElement
  const status = root.querySelector('[role=status]') as HTMLElement
  const response = await fetch(root.dataset.swIndex ?? '')
  if (!response.ok) return void status.append(`${response.url} answers ${response.status}`)
  const index = (await response.json()) as StyleguideIndex
  const components = readComponents(index)
  const asked = new URL(new URLSearchParams(location.search).get('page') ?? '/', location.href)
  // A page of another origin cannot be measured.
  input.value = asked.origin === location.origin ? asked.pathname + asked.search : '/'
  const update = async () => measure(root, frame, status, index, await components)
  frame.addEventListener('load', update)
  document.addEventListener('change', ({ target }) => {
    const { name, value } = target as HTMLInputElement
    if (name === 'sw-scheme') void update()
    if (name === 'sw-width') frame.style.width = value && `${value}px`
  })
  frame.src = input.value
}

let stop = new AbortController()

function measure(
  root: HTMLElement,
  frame: HTMLIFrameElement,
  status: HTMLElement,
  index: StyleguideIndex,
  components: Awaited<ReturnType<typeof readComponents>>,
): void {
  stop.abort()
  stop = new AbortController()
  const { signal } = stop
  const page = frame.contentDocument
  const marks = root.querySelector('.sw-marks') as HTMLElement
  marks.replaceChildren()
  if (!page?.defaultView || !page.body || page.URL === 'about:blank') {
    const blocked =
      "This page does not allow frames of its own site: send frame-ancestors 'self', and X-Frame-Options: SAMEORIGIN."
    return void status.replaceChildren(blocked)
  }
  const probe = createProbe(page)
  const tokens = readTokens(index, probe)
  const measured = measurePage(page, tokens, probe)
  probe.remove()
  listStrays(root, status, measured)
  const draw = () => drawStrays(marks, page, measured.strays)
  const card = showCard(root, page, { tokens, components, signal })
  for (const [item, stray] of zip(root.querySelectorAll('.sw-strays button'), measured.strays))
    item.addEventListener('click', () => card.pin(stray.elements[0]), { signal })
  const scroll = () => marks.style.setProperty('transform', `translateY(${-(page.defaultView?.scrollY ?? 0)}px)`)
  page.addEventListener('scroll', scroll, { signal, passive: true })
  const resized = new ResizeObserver(draw)
  resized.observe(page.body)
  signal.addEventListener('abort', () => resized.disconnect())
  draw()
  scroll()
}

function zip<A, B>(first: Iterable<A>, second: readonly B[]): [A, B][] {
  return [...first].slice(0, second.length).map((item, index) => [item, second[index] as B])
}

function listStrays(
  root: HTMLElement,
  status: HTMLElement,
  { strays, uses, values, tokenCount }: ReturnType<typeof measurePage>,
): void {
  const count = `${strays.length} stray${strays.length === 1 ? '' : 's'}`
  for (const element of root.querySelectorAll('.sw-count')) element.textContent = count
  status.replaceChildren(`${tokenCount} of ${values} values on this page are tokens.`)
  root.querySelector('.sw-strays')?.replaceChildren(
    ...strays.map((stray, index) => {
      const { token, property, value, selector, difference } = stray
      const isColor = token.kind === 'colors'
      const swatches = isColor ? [swatch(value), swatch(token.measured as Srgb)] : []
      return node('li', '', [
        node('button', '', [
          node('b', 'sw-number', [String(index + 1)]),
          node('strong', '', [property.replaceAll('-', ' ')]),
          node('span', '', [
            swatches[0] ?? '',
            node('s', '', [shorten(value)]),
            ' → ',
            swatches[1] ?? '',
            node('em', '', [token.name]),
            ` ${difference}`,
          ]),
          node('code', '', [selector]),
        ]),
      ])
    }),
  )
  const groups = ['colors', 'sizes', 'spacings'].map((kind) => uses.filter(({ token }) => token?.kind === kind))
  root.querySelector('.sw-made')?.replaceChildren(
    ...groups.map((group) =>
      node(
        'p',
        '',
        [...group].sort((a, b) => b.count - a.count).map(({ name, token, count }) => madeOf(name, token, count)),
      ),
    ),
  )
}

function madeOf(name: string, token: Token | undefined, count: number): HTMLElement {
  const link = node('a', '', [
    token?.kind === 'colors' ? swatch(token.measured as Srgb) : '',
    name,
    node('small', '', [` ${count}`]),
  ])
  if (token) link.setAttribute('href', token.href)
  return link
}

/** Browsers write colors as `rgb()`. */
export function shorten(value: string): string {
  const [r, g, b, alpha] = (/^rgba?\(([^)]*)\)$/.exec(value)?.[1] ?? '').split(',').map(Number)
  return (b !== undefined && hexOf({ r: (r ?? 0) / 255, g: (g ?? 0) / 255, b: b / 255, alpha })) || value
}

/** Outlines the strays over the frame. A mark with a number leads to each, at the edge of the page. */
function drawStrays(marks: HTMLElement, page: Document, strays: readonly Stray[]): void {
  const top = page.defaultView?.scrollY ?? 0
  const left = page.defaultView?.frameElement as HTMLElement
  marks.replaceChildren(
    ...strays.flatMap(({ elements, token }, index) =>
      elements.map((element, place) => {
        const box = element.getBoundingClientRect()
        const mark = node(
          'div',
          'sw-mark',
          place === 0 ? [node('span', '', [String(index + 1), node('i', '', [` → ${token.name}`])])] : [],
        )
        const style = { left: left.offsetLeft + box.left, top: box.top + top, width: box.width, height: box.height }
        for (const [property, value] of Object.entries(style)) mark.style.setProperty(property, `${value}px`)
        mark.toggleAttribute('data-sw-inside', style.left + box.width + 120 > left.offsetLeft + left.clientWidth)
        return mark
      }),
    ),
  )
}
