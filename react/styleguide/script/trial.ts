import { measureContrast, type Srgb } from '../../../core/styleguide/internal.js'
import { distance, parseHex } from './search.js'

/** Shows the chosen text on the chosen ground, and one swatch on another after it was dropped there. */
export function tryColors(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.form?.matches('.sw-trial')) show(target.form)
  })
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element && event.target.closest('.sw-trial :is(button, output a)')
    const form = formOfPage()
    if (!target || !form) return
    event.preventDefault()
    if (target instanceof HTMLAnchorElement) choose(form, decodeURIComponent(target.hash.slice(1)), ground(form).value)
    else choose(form, ground(form).value, text(form).value)
  })
  document.addEventListener('dragover', (event) => {
    if (!formOfPage()) return
    markDrop(chipOf(event))
    if (chipOf(event)) event.preventDefault()
  })
  document.addEventListener('dragend', () => markDrop(null))
  document.addEventListener('drop', (event) => {
    const [chip, form] = [chipOf(event), formOfPage()]
    const dragged = event.dataTransfer?.getData('text/uri-list').split('#')[1]
    if (!chip || !form || !dragged) return
    event.preventDefault()
    choose(form, decodeURIComponent(dragged), chip.id)
    form.scrollIntoView({ block: 'nearest' })
  })
}

/** Shows the text and the ground that the page has chosen. */
export function showTrial(): void {
  const form = formOfPage()
  if (form) show(form)
}

const formOfPage = () => document.querySelector<HTMLFormElement>('.sw-trial')
const chipOf = ({ target }: Event) => (target instanceof Element ? target.closest('.sw-few .sw-chip') : null)
const markDrop = (chip: Element | null) => {
  document.querySelector('.sw-drop')?.classList.remove('sw-drop')
  chip?.classList.add('sw-drop')
}
const text = (form: HTMLFormElement) => form.elements.namedItem('text') as HTMLSelectElement
const ground = (form: HTMLFormElement) => form.elements.namedItem('ground') as HTMLSelectElement

function choose(form: HTMLFormElement, textId: string, groundId: string): void {
  text(form).value = textId
  ground(form).value = groundId
  show(form)
}

/** The contrast that each line of the specimen needs (WCAG 2.2, success criterion 1.4.3): heading, text and caption. */
const leastOfLines = [3, 4.5, 4.5]

function show(form: HTMLFormElement): void {
  const [over, under] = [text(form).selectedOptions[0], ground(form).selectedOptions[0]]
  if (!over || !under) return
  for (const [mode, room] of form.querySelectorAll('section').entries()) {
    const ratioOf = (color: string) => measureContrast(toSrgb(color), toSrgb(hexIn(under, mode))).ratio
    const ratio = ratioOf(hexIn(over, mode))
    const specimen = room.querySelector('div') as HTMLElement
    Object.assign(specimen.style, { background: hexIn(under, mode), color: hexIn(over, mode) })
    const [label] = [...text(form).options].map((option) => hexIn(option, mode)).sort((a, b) => ratioOf(b) - ratioOf(a))
    specimen.style.setProperty('--sw-label', label ?? '')
    for (const [index, line] of specimen.querySelectorAll('p').entries()) {
      const least = leastOfLines[index] ?? 0
      line.style.font = line.dataset.swFont ?? ''
      line.dataset.swVerdict = ratio < least ? `✕ needs ${least}` : '✓ passes'
      if (index === 2) line.textContent = `${over.text} on ${under.text}`
    }
    const passing = [...text(form).options].filter(
      (option) => 'text' in option.dataset && ratioOf(hexIn(option, mode)) >= 4.5,
    )
    const awayFrom = (option: HTMLOptionElement) => distance(rgbOf(hexIn(option, mode)), rgbOf(hexIn(over, mode)))
    const [nearest] = passing.sort((a, b) => awayFrom(a) - awayFrom(b))
    const verdict = ratio >= 4.5 ? 'good for every text.' : ratio >= 3 ? 'for headings only.' : 'not for text.'
    const [strong, words, link] = room.querySelectorAll<HTMLElement>('output > *')
    if (!(strong && words && link instanceof HTMLAnchorElement)) continue
    strong.textContent = `${ratio.toFixed(2)}:`
    words.textContent = ratio >= 4.5 ? verdict : nearest ? `${verdict} Use` : `${verdict} No color passes.`
    link.hidden = ratio >= 4.5 || !nearest
    if (!nearest) continue
    link.href = `#${encodeURIComponent(nearest.value)}`
    link.textContent = `${nearest.text}, ${ratioOf(hexIn(nearest, mode)).toFixed(2)}`
    link.style.setProperty('--sw-color', hexIn(nearest, mode))
  }
}

const hexIn = ({ dataset }: HTMLOptionElement, mode: number) => dataset.hex?.split(' ')[mode] ?? ''
const rgbOf = (hex: string) => parseHex(hex) ?? ([0, 0, 0] as const)
const toSrgb = (hex: string): Srgb => {
  const [r, g, b] = rgbOf(hex)
  return { r: r / 255, g: g / 255, b: b / 255 }
}
