// Matches control characters, line separators, and marks that turn the direction of text.
const unprintable = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

/** Writes lines to the standard output. */
export function print(...lines: (string | readonly string[])[]): void {
  process.stdout.write(lines.flat().map(toLine).join(''))
}

/** Writes a message to the standard error. */
export function printError(message: string): void {
  process.stderr.write(message.split('\n').map(toLine).join(''))
}

/**
 * Escapes control characters as JSON does: in a text of a site, they could change what the terminal shows, or begin a
 * line that the command did not print.
 */
function toLine(text: string): string {
  const toCode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `${text.replace(unprintable, toCode)}\n`
}

/** Shows the progress of a command in one line of the terminal, until the next call. `''` removes the line. */
export function printProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

/** Returns rows as lines with aligned columns. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths =
    rows[0]?.map((_, column) => rows.reduce((max, row) => Math.max(max, row[column]?.length ?? 0), 0)) ?? []
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}

/** @example count(2, 'file') // '2 files' */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
