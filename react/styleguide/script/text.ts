/** Returns a text in lower case and without accents. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Announces a text in a live region, even if the text is the same as before. */
export function announce(region: HTMLElement, text: string): void {
  region.textContent = text && region.textContent === text ? `${text}\u00a0` : text
}
