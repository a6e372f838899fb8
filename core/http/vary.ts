/** Parses a `Vary` header: field names in lower case, or `'*'` when it names that (RFC 9110, section 12.5.5). */
export function parseVary(field: string | null): readonly string[] | '*' {
  if (!field) return []
  const names = field
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return names.includes('*') ? '*' : [...new Set(names)].sort()
}
