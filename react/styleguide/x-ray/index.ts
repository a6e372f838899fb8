import type { StyleguideIndex } from '../../../core/styleguide/index.js'
import { type CardOptions, type Component, readComponents } from './card.js'
import { follow } from './follow.js'
import { createProbe, measurePage, readTokens, type Stray, type Token } from './measure.js'
import { link, nearest, node, swatch } from './nodes.js'

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
  frame.addEventListener('load', async () => {
    const page = frame.contentDocument
    const blocked =
      "This page does not allow frames of its own site: send frame-ancestors 'self', and X-Frame-Options: SAMEORIGIN."
    if (page?.body && page.URL !== 'about:blank') follow(root, page, measure(root, page, index, await components))
    else status.textContent = blocked
  })
  document.addEventListener('change', ({ target }) => {
    const { name, value } = target as HTMLInputElement
    if (name === 'sw-scheme') frame.contentDocument?.location.reload()
    if (name === 'sw-width') frame.style.width = value && `${value}px`
  })
  frame.src = input.value
}

/** Lists the strays of a page, and the tokens and components that it is made of. */
function measure(root: HTMLElement, page: Document, index: StyleguideIndex, components: Component[]): CardOptions {
  const probe = createProbe(page)
  const tokens = readTokens(index, probe)
  const { strays, others, uses, tokenCount } = measurePage(page, tokens, probe)
  probe.remove()
  const fill = (selector: string, ...children: (Node | string)[]) => {
    for (const part of root.querySelectorAll(selector)) part.replaceChildren(...children)
  }
  const count = `${tokenCount} of ${tokenCount + strays.length + others.length} values on this page are tokens`
  const rest = `, ${others.length} ${others.length === 1 ? 'is' : 'are'} near none: ${[...new Set(others)].join(', ')}`
  fill('[role=status]', count, others.length > 0 ? rest : '', '.')
  fill('.sw-count', `${strays.length} stray${strays.length === 1 ? '' : 's'}`)
  fill('.sw-strays', ...strays.map(listed))
  const ofKinds = ['colors', 'sizes', 'spacings'].map((kind) => [...uses].filter(([token]) => token.kind === kind))
  const parts = components.map((part) => [part, page.querySelectorAll(part.selector).length] as const)
  fill('.sw-made', ...[...ofKinds, parts].map(madeOf))
  return { tokens, strays, components }
}

function listed(stray: Stray, index: number): Node {
  const title = node('strong', '', [stray.property.replaceAll('-', ' ')])
  const lines = [title, node('span', '', nearest(stray)), node('code', '', [stray.selector])]
  return node('li', '', [node('button', '', [node('b', '', [String(index + 1)]), ...lines])])
}

/** Links tokens or components, each with the number of its uses, the most used first. */
function madeOf(uses: (readonly [Pick<Token, 'name' | 'href'> & Partial<Token>, number])[]): Node {
  const used = uses.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a)
  const links = used.map(([{ name, href, measured }, count]) =>
    link(href, [swatch(measured), name, node('small', '', [` ${count}`])]),
  )
  return node('p', '', links)
}
