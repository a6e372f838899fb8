const declaration = /(?<![\w-])(--[\w-]+)\s*:/
// In characters. A longer comment explains more than one value.
const maxLength = 200

/**
 * Returns the comments that describe custom properties: behind a declaration on its line, or on the line before a
 * declaration that stands alone. A comment before several declarations is a heading.
 *
 * @example commentsIn('--accent: red; /* Once on a page *\/').get('--accent') // 'Once on a page'
 */
export function commentsIn(css: string): Map<string, string> {
  const comments = new Map<string, string>()
  const lines = css.split('\n')
  const propertyAt = (index: number) => declaration.exec(lines[index]?.slice(0, 500) ?? '')?.[1]
  for (const [index, line] of lines.entries()) {
    const start = line.trimEnd().endsWith('*/') ? line.lastIndexOf('/*') : -1
    const text = line
      .trimEnd()
      .slice(start + 2, -2)
      .trim()
    if (start < 0 || text === '' || text.length > maxLength) continue
    const isAlone = line.slice(0, start).trim() === ''
    const property = propertyAt(isAlone ? index + 1 : index)
    if (property && !comments.has(property) && !(isAlone && propertyAt(index + 2))) comments.set(property, text)
  }
  return comments
}
