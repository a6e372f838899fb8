import { styleText } from 'node:util'

/** Without color where `NO_COLOR` says so, or the output is no terminal. */
export const bold = (text: string) => styleText('bold', text)
export const dim = (text: string) => styleText('dim', text)
export const green = (text: string) => styleText('green', text)
export const yellow = (text: string) => styleText('yellow', text)
export const red = (text: string) => styleText('red', text, { stream: process.stderr })

/** Writes lines to the standard output. */
export function print(...lines: string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

/** Aligns the second column. */
export function table(rows: readonly (readonly [string, string])[], mark: string): string[] {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${mark} ${first.padEnd(width)}  ${dim(second)}`)
}
