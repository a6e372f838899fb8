// RFC 9110, section 5.6.2.
const token = /^[\w!#$%&'*+.^`|~-]+$/

/** Whether a text can be the name of a field. */
export function isFieldName(text: string): boolean {
  return token.test(text)
}

/**
 * Parses a `Vary` header: field names in lower case, or `'*'` when it names that, or something that no field can have as its
 * name, so that nobody can tell what the response depends on (RFC 9110, section 12.5.5).
 */
export function parseVary(field: string | null): readonly string[] | '*' {
  if (!field) return []
  const names = field
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return names.every((name) => name !== '*' && isFieldName(name)) ? [...new Set(names)].sort() : '*'
}
