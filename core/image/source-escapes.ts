const unreserved = /[\w.~-]/
// What may stand unescaped in a path (RFC 3986, section 3.3), and in a query.
const pathText = /^[\w.~!$&'()*+,;=:@/-]*$/
const queryText = /^[\w.~!$&'()*+,;=:@/?-]*$/
// But for the slash, which separates segments.
const segmentCharacter = /[\w.~!$&'()*+,;=:@-]/

/**
 * Normalizes the escapes of a path (RFC 3986, section 6.2.2): in upper case, and none where it is not needed. Reserved
 * characters are another thing escaped than not on http and https; elsewhere, where a path is the name of a file, they are
 * the same.
 *
 * @param path As a URL parser returned it, without malformed escapes.
 * @param protocol With its colon; empty for a path on the site itself.
 * @example normalizePathEscapes('/a%2bb%7e', '') // '/a+b~'
 */
export function normalizePathEscapes(path: string, protocol: string): string {
  return normalizeEscapes(path, pathText, /^https?:$/.test(protocol) ? unreserved : segmentCharacter)
}

/** Normalizes the escapes of a query, of which servers make what they like: only unreserved characters are decoded. */
export function normalizeQueryEscapes(query: string): string {
  return normalizeEscapes(query, queryText, unreserved)
}

function normalizeEscapes(text: string, plain: RegExp, decodable: RegExp): string {
  if (plain.test(text)) return text // as most are, at a tenth of the cost
  return text.replace(/%([0-9a-f]{2})|[^%]/gi, (match, hex?: string) => {
    if (hex === undefined) return plain.test(match) ? match : escapeCharacter(match)
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return decodable.test(character) ? character : match.toUpperCase()
  })
}

// URL parsers leave ASCII only.
function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
