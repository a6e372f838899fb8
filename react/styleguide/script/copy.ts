import { say } from './announce.js'

let fading: ReturnType<typeof setTimeout> | undefined

/** Copies a color by a click on it: its value, or with Shift its hex. */
export function copyColors(): void {
  document.addEventListener('click', ({ target, shiftKey }) => {
    const swatch = target instanceof Element && target.closest('.sw-copy')?.parentElement
    if (!swatch) return
    const [value, hex] = swatch.querySelectorAll('code')
    const code = shiftKey && hex ? hex : value
    if (code) void copy(code)
  })
}

async function copy(code: HTMLElement): Promise<void> {
  const toast = document.querySelector<HTMLElement>('.sw-toast')
  let text = ''
  try {
    await navigator.clipboard.writeText(code.textContent)
    text = `${toast?.dataset.copied} ${code.textContent}`
  } catch {
    // The browser refuses, or the page is not served safely: then the reader copies what is selected.
    getSelection()?.selectAllChildren(code)
    text = toast?.dataset.refused ?? ''
  }
  if (!toast) return
  say(toast, text)
  clearTimeout(fading)
  fading = setTimeout(() => say(toast, ''), 4000)
}
