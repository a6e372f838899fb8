let timer: ReturnType<typeof setTimeout> | undefined

/** Lets a click on a copy button copy the value in the button, or the source below it. */
export function copyValues(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('.sw-copy')
    const code = button && (button.querySelector('code') ?? button.nextElementSibling?.querySelector('code'))
    if (code) void copy(code)
  })
}

async function copy(code: HTMLElement): Promise<void> {
  const toast = document.querySelector<HTMLElement>('.sw-toast')
  let text = ''
  try {
    await navigator.clipboard.writeText(code.textContent)
    const [line = '', ...rest] = code.textContent.split('\n')
    text = `${toast?.dataset.copied} ${line}${rest.length > 0 ? ' …' : ''}`
  } catch {
    // Copying is denied, or the context is not secure. The value is selected, so that the user can copy it.
    getSelection()?.selectAllChildren(code)
    text = toast?.dataset.copyFailed ?? ''
  }
  if (!toast) return
  announce(toast, text)
  clearTimeout(timer)
  timer = setTimeout(() => announce(toast, ''), 4000)
}

/** Announces a text in a live region, even if the text is the same as before. */
export function announce(region: HTMLElement, text: string): void {
  region.textContent = text && region.textContent === text ? `${text}\u00a0` : text
}
