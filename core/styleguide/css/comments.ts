const declaration = /(--[\w-]+)\s*:/
const comment = /\/\*(.{1,200}?)\*\/\s*$/

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
    const [whole, text] = (line.length < 1_000 && comment.exec(line)) || []
    if (!whole || !text?.trim()) continue
    const isAlone = line.trim() === whole.trim()
    const property = propertyAt(isAlone ? index + 1 : index)
    if (property && !comments.has(property) && !(isAlone && propertyAt(index + 2))) comments.set(property, text.trim())
  }
  return comments
}
