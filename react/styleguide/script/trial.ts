import { measureContrast, type Srgb } from '../../../core/styleguide/internal.js'
import { distance, parseHex, type Rgb } from './search.js'

/** Shows the chosen text on the chosen ground, and one swatch on another after it was dropped there. */
export function tryColors(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.form?.matches('.sw-trial')) show(target.form)
  })
  document.addEventListener('click', ({ target }) => {
    const form = target instanceof Element && target.closest<HTMLFormElement>('.sw-trial button')?.form
    if (form) choose(form, ground(form).value, text(form).value)
  })
  document.addEventListener('dragover', (event) => {
    if (chipOf(event) && formOfPage()) event.preventDefault()
  })
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
const text = (form: HTMLFormElement) => form.elements.namedItem('text') as HTMLSelectElement
const ground = (form: HTMLFormElement) => form.elements.namedItem('ground') as HTMLSelectElement

function choose(form: HTMLFormElement, textId: string, groundId: string): void {
  text(form).value = textId
  ground(form).value = groundId
  show(form)
}

function show(form: HTMLFormElement): void {
  const [over, under] = [text(form).selectedOptions[0], ground(form).selectedOptions[0]]
  if (!over || !under) return
  for (const [mode, room] of form.querySelectorAll<HTMLElement>('section').entries()) {
    const back = colorIn(under, mode)
    const specimen = room.querySelector('div')
    if (specimen) Object.assign(specimen.style, { background: hexIn(under, mode), color: hexIn(over, mode) })
    const { ratio } = measureContrast(toSrgb(colorIn(over, mode)), toSrgb(back))
    const passing = [...text(form).options].filter(
      (option) => 'text' in option.dataset && measureContrast(toSrgb(colorIn(option, mode)), toSrgb(back)).ratio >= 4.5,
    )
    const awayFrom = (option: HTMLOptionElement) => distance(colorIn(option, mode), colorIn(over, mode))
    const [nearest] = passing.sort((a, b) => awayFrom(a) - awayFrom(b))
    const verdict = ratio >= 4.5 ? 'for every text' : ratio >= 3 ? 'for headings only' : 'for no text'
    const advice = ratio >= 4.5 ? '' : nearest ? `: use ${nearest.text}` : ': none passes'
    const output = room.querySelector('output')
    if (output) output.textContent = `${ratio.toFixed(2)} ${verdict}${advice}`
  }
}

const hexIn = ({ dataset }: HTMLOptionElement, mode: number) => dataset.hex?.split(' ')[mode] ?? ''
const colorIn = (option: HTMLOptionElement, mode: number) => parseHex(hexIn(option, mode)) ?? [0, 0, 0]
const toSrgb = ([r, g, b]: Rgb): Srgb => ({ r: r / 255, g: g / 255, b: b / 255 })
