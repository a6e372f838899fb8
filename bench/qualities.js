/** As many qualities as Next.js allows in `images.qualities`. */
const qualitiesFrom = (lowest) => Array.from({ length: 20 }, (_, index) => lowest + 2 * index)

/** The qualities in which first visits are compared: Next.js takes 20 off for AVIF. */
export const qualities = { ipx: qualitiesFrom(44), next: qualitiesFrom(56) }
