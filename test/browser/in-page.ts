// Functions that run in a page: they use nothing but its globals.

/** Scrolls through the page as a reader does. */
export async function scrollThrough(): Promise<void> {
  for (let top = 0; top < document.body.scrollHeight; top += innerHeight / 2) {
    scrollTo({ top, behavior: 'instant' })
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30)))
  }
  scrollTo({ top: 0, behavior: 'instant' })
}

/** Whether all images have loaded, or failed to. */
export function areImagesComplete(): boolean {
  return [...document.images].every((image) => image.complete)
}

export interface Picture {
  src: string
  /** Width on the page, in CSS pixels. */
  width: number
  /** Width of the file that was chosen, in pixels. */
  naturalWidth: number
}

/** Decodes every picture of the page. Throws if a picture cannot be decoded. */
export function decodePictures(): Promise<Picture[]> {
  return Promise.all(
    [...document.images].map(async (image) => {
      await image.decode()
      // naturalWidth is in CSS pixels, of which `sizes` and the chosen candidate decide; a copy has none of that.
      const copy = new Image()
      copy.src = image.currentSrc
      await copy.decode()
      return {
        src: image.currentSrc,
        width: image.getBoundingClientRect().width,
        naturalWidth: copy.naturalWidth,
      }
    }),
  )
}
