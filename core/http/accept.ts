/**
 * Returns the media types that an `Accept` header names, in lower case, with their weights (RFC 9110, sections 12.4.2 and 12.5.1).
 * Wildcards are named as they are: whether they imply a type is for the caller to decide. Of a type that is named twice, the
 * highest weight counts.
 *
 * @example mediaTypeWeights('image/avif,image/webp;q=0,*\/*;q=0.8') // Map { 'image/avif' => 1, 'image/webp' => 0, '*\/*' => 0.8 }
 */
export function mediaTypeWeights(accept: string | null): Map<string, number> {
  const weights = new Map<string, number>()
  for (const range of accept?.toLowerCase().split(',') ?? []) {
    const end = range.indexOf(';')
    const type = (end < 0 ? range : range.slice(0, end)).trim()
    if (type) weights.set(type, Math.max(weights.get(type) ?? 0, end < 0 ? 1 : weightOf(range.slice(end + 1))))
  }
  return weights
}

/**
 * The media types that an `Accept` header names with a quality above 0, in lower case.
 *
 * @example namedMediaTypes('image/avif,image/webp;q=0,*\/*') // Set { 'image/avif', '*\/*' }
 */
export function namedMediaTypes(accept: string | null): ReadonlySet<string> {
  return new Set([...mediaTypeWeights(accept)].flatMap(([type, weight]) => (weight > 0 ? type : [])))
}

/**
 * Whether a client asks for images before anything else, as browsers do for `<img>`: for `image/*`, with a higher weight than
 * for what is no image (RFC 9110, section 12.5.1). `video/*` counts as one: for Safari, films are images, too.
 *
 * @example asksForImages('image/avif,image/*,*\/*;q=0.8') // true
 * @example asksForImages('text/html,image/avif,image/*,*\/*;q=0.8') // false
 */
export function asksForImages(accept: string | null): boolean {
  const weights = mediaTypeWeights(accept)
  const others = [...weights].filter(([type]) => !/^(?:image|video)\//.test(type)).map(([, weight]) => weight)
  return (weights.get('image/*') ?? 0) > Math.max(0, ...others)
}

/** Returns the weight among the parameters of a media type. One that is none is 1, as where there is none. */
function weightOf(parameters: string): number {
  for (const parameter of parameters.split(';')) {
    const [, weight] = /^\s*q\s*=\s*(\d+(?:\.\d*)?)\s*$/.exec(parameter) ?? []
    if (weight !== undefined) return Math.min(1, Number(weight))
  }
  return 1
}
