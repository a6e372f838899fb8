/** Says a text in a live region; anew, even if it is the same as before. */
export function say(region: HTMLElement, text: string): void {
  region.textContent = text && region.textContent === text ? `${text}\u00a0` : text
}
