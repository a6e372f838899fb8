/** Announces a text in a live region, even if the text is the same as before. */
export function announce(region: HTMLElement, text: string): void {
  region.textContent = text && region.textContent === text ? `${text}\u00a0` : text
}
