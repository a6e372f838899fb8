import { answerTrial, swatch, type Trial, type TrialColor, trialHref } from '../pages/trial-answer.js'

/**
 * Shows the chosen text on the chosen ground, and one swatch on another after it was dropped there. The address keeps
 * both. Begins with the address, which a static file does not answer.
 */
export function tryColors(): void {
  const form = document.querySelector<HTMLFormElement>('.sw-trial')
  if (!form) return
  const trial: Trial = JSON.parse(`${form.dataset.swTrial}`)
  const selects = [...form.querySelectorAll('select')]
  const choose = (key: 'id' | 'name', values: readonly (string | null)[]) => {
    for (const [index, select] of selects.entries()) {
      const found = trial.colors.findIndex((color) => color[key] === values[index])
      if (found >= 0) select.selectedIndex = found
    }
    return show()
  }
  const show = () => {
    const [text, ground] = selects.map(({ selectedIndex, previousElementSibling }) => {
      const color = trial.colors[selectedIndex] as TrialColor
      ;(previousElementSibling as Element).innerHTML = swatch(color)
      return color
    }) as [TrialColor, TrialColor]
    for (const [mode, answer] of form.querySelectorAll('output').entries())
      answer.innerHTML = answerTrial(trial, text, ground, mode)
    ;(form.querySelector('a.sw-field') as HTMLAnchorElement).href = trialHref(ground, text)
    // The server cannot write the fonts, since a Content-Security-Policy may forbid inline styles.
    for (const line of form.querySelectorAll<HTMLElement>('[data-sw-font]')) line.style.font = `${line.dataset.swFont}`
    return trialHref(text, ground)
  }
  const read = (query: string) => {
    const parameters = new URLSearchParams(query)
    return choose('name', [parameters.get('text'), parameters.get('ground')])
  }
  const share = (url: string) => history.replaceState(history.state, '', url)
  form.addEventListener('change', () => share(show()))
  form.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a')
    if (!link) return
    event.preventDefault()
    share(read(link.search))
    // The answer has replaced its link, which had the focus.
    if (!link.isConnected) selects[0]?.focus()
  })
  acceptSwatches((dragged, chip) => {
    share(choose('id', [dragged, chip]))
    form.scrollIntoView({ block: 'nearest' })
  })
  read(location.search)
}

/** Lets a swatch be dropped on another. Marks the one below the pointer. */
function acceptSwatches(onDrop: (dragged: string, chip: string) => void): void {
  let dragged: Element | null
  const onDrag = (event: Event) => {
    const chip = event.target instanceof Element ? event.target.closest('.sw-few .sw-chip') : null
    document.querySelector('.sw-drop')?.classList.remove('sw-drop')
    if (event.type === 'dragstart') dragged = chip
    else if (dragged && chip && event.type !== 'dragend') {
      event.preventDefault()
      if (event.type === 'drop') onDrop(dragged.id, chip.id)
      else chip.classList.add('sw-drop')
    }
  }
  for (const type of ['dragstart', 'dragover', 'dragend', 'drop']) document.addEventListener(type, onDrag)
}
