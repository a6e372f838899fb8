import type { Plan } from './plan/plan.js'
import type { Step } from './plan/step.js'
import type { Usage } from './plan/usage.js'
import { bold, dim, green, print, table } from './terminal.js'

/** Tells which files are written, and which are there. */
export function printPlan({ missing, present }: Plan, dryRun: boolean): void {
  if (missing.length === 0) {
    print('Nothing to write: every file is there.', '')
    return
  }
  const rows = missing.map(({ path, purpose }): [string, string] => [path, purpose])
  print(dryRun ? 'Would write:' : 'To write:', ...table(rows, green('+')), '')
  if (present.length === 0) return
  print('Left as they are, since they are there:', ...present.map((path) => `  ${dim('·')} ${path}`), '')
}

/** Tells what was done, then what is left. */
export function printSteps(steps: readonly Step[]): void {
  const done = steps.filter((step) => step.done)
  const left = steps.filter((step) => !step.done)
  if (done.length > 0) print('Checked:', ...done.map(({ goal }) => `  ${green('✓')} ${goal}`), '')
  print(left.length === 0 ? 'Nothing is left to do.' : bold('Left for you to do:'), '')
  for (const [index, step] of left.entries()) printLines(`${index + 1}. ${step.title}`, step.lines)
}

/** Tells how to use what is there. */
export function printUsage(heading: string, usages: readonly Usage[]): void {
  if (usages.length > 0) print(bold(heading), '')
  for (const { title, lines } of usages) printLines(`- ${title}`, lines)
}

/** Tells the command that removes what was written: a folder only once it is empty. */
export function printUndo(created: readonly string[]): void {
  const words = created.map((path) => (/^[\w./-]+$/.test(path) ? path : `'${path}'`))
  const lines = ['rm -d']
  for (const word of words) {
    if (`${lines.at(-1)} ${word}`.length <= 70) lines.push(`${lines.pop()} ${word}`)
    else lines.push(`  ${word}`)
  }
  printLines(
    'Undo:',
    lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line)),
  )
}

function printLines(title: string, lines: readonly string[]): void {
  print(title, ...lines.map((line) => `     ${line}`), '')
}
