/**
 * The media types that an `Accept` header names with a quality above 0, in lower case (RFC 9110, section 12.5.1).
 * Wildcards are named as they are: whether they imply a type is for the caller to decide.
 *
 * @example namedMediaTypes('image/avif,image/webp;q=0,*\/*') // Set { 'image/avif', '*\/*' }
 */
export function namedMediaTypes(accept: string | null): ReadonlySet<string> {
  return mediaTypes(accept, false)
}

/** The media types that an `Accept` header names with a quality of 0: "not acceptable" (RFC 9110, section 12.4.2). */
export function refusedMediaTypes(accept: string | null): ReadonlySet<string> {
  return mediaTypes(accept, true)
}

/**
 * Whether a client asks for images before anything else, as browsers do for `<img>`: for `image/*`, with a higher weight than
 * for what is no image (RFC 9110, section 12.5.1). `video/*` counts as one: for Safari, films are images, too.
 *
 * @example asksForImages('image/avif,image/*,*\/*;q=0.8') // true
 * @example asksForImages('text/html,image/avif,image/*,*\/*;q=0.8') // false
 */
export function asksForImages(accept: string | null): boolean {
  let images = 0
  let others = 0
  for (const range of accept?.toLowerCase().split(',') ?? []) {
    const [type = '', ...parameters] = range.split(';').map((piece) => piece.trim())
    const weight = Number(parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=/, '') ?? 1)
    if (type === 'image/*') images = weight
    else if (type && !/^(?:image|video)\//.test(type)) others = Math.max(others, weight)
  }
  return images > others
}

function mediaTypes(accept: string | null, areRefused: boolean): ReadonlySet<string> {
  const types = new Set<string>()
  for (const range of accept?.toLowerCase().split(',') ?? []) {
    const end = range.indexOf(';')
    const type = (end < 0 ? range : range.slice(0, end)).trim()
    const isRefused =
      end >= 0 &&
      range
        .slice(end + 1)
        .split(';')
        .some((piece) => isZeroQuality(piece.trim()))
    if (type && isRefused === areRefused) types.add(type)
  }
  return types
}

/** Whether a parameter is a weight of 0, which means "not acceptable" (RFC 9110, section 12.4.2). */
export function isZeroQuality(parameter: string): boolean {
  return /^q\s*=\s*0(?:\.0*)?$/.test(parameter)
}
