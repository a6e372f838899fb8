import { pathTag, percentEncode } from '../../core/tags.js'

/**
 * Returns a path in the forms in which Next.js may have tagged its page: `next build` encodes each segment; a later render
 * decodes it on Next.js 16, and on 15 takes it from the visitor's URL, also with its slash at the end. The tags of a page are
 * joined by commas, so of a path with a comma only what is before it is found.
 *
 * @example pathForms('/a/x,y z') // ['/a/x%2Cy%20z', '/a/x%2Cy%20z/', '/a/x,y z', '/a/x,y z/', '/a/x', '/a/x,y%20z', …]
 */
export function pathForms(path: string): string[] {
  const tag = pathTag(path)
  const segments = tag.split('/').map(decodeSegment)
  const built = segments.map(encodeURIComponent).join('/')
  const rendered = segments
    .map(escapeDelimiters)
    .join('/')
    .replace(/[^\t\x20-\x7e]+/g, percentEncode)
  const visited = tag.replaceAll('%2C', ',').replaceAll("'", '%27')
  const forms = [built, rendered, visited].flatMap((form) => [
    form,
    form.replace(/[^/]$/, '$&/'),
    form.replace(/,.*/s, ''),
  ])
  return [...new Set(forms)]
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** As Next.js does, so that no segment becomes two. */
function escapeDelimiters(segment: string): string {
  return segment.replace(/[/#?\\]|%(?:2f|23|3f|5c)/gi, encodeURIComponent)
}
