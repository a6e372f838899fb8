import type { Plan } from './files.js'
import type { Step } from './steps.js'

/** Writes lines to the standard output. */
export function print(...lines: string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

/** Prints which files will be written, and which exist. */
export function printPlan(title: string, { missing, present }: Plan, dryRun: boolean): void {
  print(`sitewright init: ${title}`, '')
  const width = Math.max(...missing.map(({ path }) => path.length))
  const rows = missing.map(({ path, purpose, edits }) => `  ${edits ? '~' : '+'} ${path.padEnd(width)}  ${purpose}`)
  if (missing.length === 0) print('Nothing to write: every file exists.', '')
  else print(dryRun ? 'Would write:' : 'To write:', ...rows, '')
  if (missing.length > 0 && present.length > 0) {
    print('These exist, and stay as they are:', ...present.map((path) => `  · ${path}`), '')
  }
}

export function printSteps(steps: readonly Step[]): void {
  print('Next steps:', '')
  for (const [index, { title, lines }] of steps.entries()) {
    print(`${index + 1}. ${title}`, ...lines.map((line) => `     ${line}`), '')
  }
}
