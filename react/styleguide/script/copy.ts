import { announce } from './filter.js'

let timer: ReturnType<typeof setTimeout> | undefined

/** Copies a color's value on click, or its hex on Shift-click. */
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
    // Denied, or not a secure context: select the value, so that the user can copy it.
    getSelection()?.selectAllChildren(code)
    text = toast?.dataset.copyFailed ?? ''
  }
  if (!toast) return
  announce(toast, text)
  clearTimeout(timer)
  timer = setTimeout(() => announce(toast, ''), 4000)
}
