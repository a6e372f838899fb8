/**
 * The media types that an `Accept` header names with a weight above 0, in lower case (RFC 9110, sections 12.4.2 and 12.5.1).
 * Wildcards are named as they are: whether they imply a type is for the caller to decide. Of a type that is named twice, the
 * highest weight counts.
 *
 * @example namedMediaTypes('image/avif,image/webp;q=0,*\/*') // Set { 'image/avif', '*\/*' }
 */
export function namedMediaTypes(accept: string | null): ReadonlySet<string> {
  const types = new Set<string>()
  for (const range of accept?.toLowerCase().split(',') ?? []) {
    const end = range.indexOf(';')
    const type = (end < 0 ? range : range.slice(0, end)).trim()
    if (type && (end < 0 || weightOf(range.slice(end + 1)) > 0)) types.add(type)
  }
  return types
}

/** Returns the weight among the parameters of a media type. One that is none is 1, as where there is none. */
function weightOf(parameters: string): number {
  for (const parameter of parameters.split(';')) {
    const [, weight] = /^\s*q\s*=\s*(\d+(?:\.\d*)?)\s*$/.exec(parameter) ?? []
    if (weight !== undefined) return Number(weight)
  }
  return 1
}
