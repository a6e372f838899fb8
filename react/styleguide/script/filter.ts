/** Filters the navigation by title as the user types. */
export function filterPages(): void {
  document.addEventListener('input', ({ target }) => {
    if (isFilter(target)) filter(target)
  })
  document.addEventListener('keydown', (event) => {
    if (isFilter(event.target)) onFilterKey(event, event.target)
    else if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)) focus(event)
  })
}

function onFilterKey(event: KeyboardEvent, input: HTMLInputElement): void {
  if (event.isComposing) return
  if (event.key === 'Escape' && input.value) {
    event.preventDefault() // the first Escape clears the filter, the second closes the menu
    input.value = ''
    filter(input)
  }
  if (event.key === 'Enter' && input.value) filter(input)[0]?.click()
}

/** Shows the pages whose title contains the text, and the pages above them. Returns the matching links. */
function filter(input: HTMLInputElement): HTMLAnchorElement[] {
  const nav = input.closest('nav')
  const status = nav?.querySelector<HTMLElement>('[role=status]')
  const text = fold(input.value.trim())
  const matches: HTMLAnchorElement[] = []
  // In reverse, so that each page comes after the pages below it.
  for (const item of [...(nav?.querySelectorAll('li') ?? [])].reverse()) {
    const link = item.querySelector('a')
    const isMatch = link?.href && fold(link.textContent).includes(text)
    if (isMatch) matches.unshift(link)
    item.hidden = text !== '' && !isMatch && !item.querySelector('li:not([hidden])')
  }
  if (status) announce(status, text && `${status.dataset.found} ${matches.length}`)
  return matches
}

function focus(event: Event): void {
  const input = document.querySelector<HTMLInputElement>('.sw-filter input')
  if (!input) return
  event.preventDefault()
  if (!input.checkVisibility()) input.closest('nav')?.showPopover()
  input.select()
}

function isFilter(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.closest('.sw-filter') !== null
}

function isTyping(event: Event): boolean {
  // Use the first target of the path, because the field may be in a shadow tree.
  const [target] = event.composedPath()
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=radio]), select, textarea'))
  )
}

/** Returns a text in lower case and without accents. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Announces a text in a live region, even if the text is the same as before. */
export function announce(region: HTMLElement, text: string): void {
  region.textContent = text && region.textContent === text ? `${text}\u00a0` : text
}
