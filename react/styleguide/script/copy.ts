import { announce } from './text.js'

let timer: ReturnType<typeof setTimeout> | undefined

/** Copies a value on click. */
export function copyValues(): void {
  document.addEventListener('click', ({ target }) => {
    const code = target instanceof Element && target.closest('.sw-copy')?.querySelector('code')
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
