import { optionError } from '../../core/option-error.js'

/** A page's fields, written between two `---` lines at its beginning. */
export interface FrontMatter {
  title?: string
  /** The purpose of the page in a line. */
  description?: string
  /** The URL segment of the page. */
  path?: string
  /** Position among its siblings. */
  order?: number
}

const block = /^---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/

/**
 * Splits a document into front matter and body. Reads the lines `title: …`, `description: …`, `path: …` and `order: …`, and ignores all
 * others. This is not a YAML parser: a value is plain or quoted text on one line. The body has the same line numbers as
 * the source.
 *
 * @throws Error that names the file and line, for any other value and for an `order` that is not a number.
 * @example
 * parseFrontMatter('---\ntitle: Colors\norder: 2\n---\nText', 'a.md').frontMatter // { title: 'Colors', order: 2 }
 */
export function parseFrontMatter(source: string, file: string): { frontMatter: FrontMatter; body: string } {
  const text = source.replace(/^\uFEFF/, '')
  const [header] = block.exec(text) ?? []
  if (!header) return { frontMatter: {}, body: text }
  const frontMatter: FrontMatter = {}
  const lines = header.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, key, raw = ''] = /^(title|description|path|order)[ \t]*:(?=\s|$)(.*)$/s.exec(line.trimEnd()) ?? []
    const value = parseValue(raw.trim())
    if (!key || value === '') continue
    const fail = (expected: string, got: string) => errorAt([file, index + 1], optionError(key, expected, got).message)
    if (value === undefined) throw fail('plain or quoted text on one line', raw.trim())
    if (key !== 'order') frontMatter[key as 'title' | 'description' | 'path'] = value
    else if (Number.isFinite(Number(value))) frontMatter.order = Number(value)
    else throw fail('a number', value)
  }
  return { frontMatter, body: '\n'.repeat(lines.length - 1) + text.slice(header.length) }
}

function parseValue(raw: string): string | undefined {
  const [, double, single] = /^(?:"((?:\\.|[^"\\])*)"|'((?:''|[^'])*)')(?:\s+#.*)?$/.exec(raw) ?? []
  if (double !== undefined) return double.replace(/\\(["\\])/g, '$1')
  if (single !== undefined) return single.replaceAll("''", "'")
  // These characters have a special meaning in YAML.
  return /^["'|>[\]{}&*!%@`]/.test(raw) ? undefined : raw.replace(/(?:^|\s)#.*$/s, '').trimEnd()
}

/**
 * Creates an error whose message begins with the file, line and column, as far as they are known. Lines and columns
 * count from 1.
 */
export function errorAt(
  location: [file: string, line?: unknown, column?: unknown],
  reason: string,
  cause?: unknown,
): Error {
  const knownLocation = location.filter((part) => part !== undefined && part !== null).join(':')
  return new Error(`${knownLocation}: ${reason}`, { cause })
}

/** Creates the error for a page that cannot be compiled, with the location that the compiler reports. */
export function compileError(file: string, error: unknown): Error {
  if (!(error instanceof Error)) return errorAt([file], String(error))
  const { reason = error.message, ...reported } = error as { reason?: string; line?: unknown; column?: unknown }
  const message = error.cause instanceof Error ? `${reason}: ${error.cause.message}` : reason
  // For an unclosed tag, only the text of the error contains the location.
  const [, line = reported.line, column = reported.column] = /\((\d+):(\d+)-\d+:\d+\)$/.exec(reason) ?? []
  return errorAt([file, line, column], message, error)
}
