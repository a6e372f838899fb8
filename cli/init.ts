import { createInterface } from 'node:readline'
import { CliError, type Command, usageError } from './arguments.js'
import { type Plan, type ProjectFile, planFiles, writeFiles } from './files.js'
import { alignColumns, count, print } from './print.js'
import { inspectProject } from './project.js'
import { newSite } from './site.js'
import { nextSteps } from './steps.js'
import { projectFiles } from './templates.js'

/** Writes the files that the project lacks, and prints the next steps. */
export async function init(folder: string, { operands, values }: Command): Promise<number> {
  if (operands.length > 0) throw usageError(`init: expected no further arguments, got '${operands.join(' ')}'`)
  const { yes = false, 'dry-run': dryRun = false, server } = values
  const { title, files: projectOrSite, steps } = inspect(folder, server)
  const plan = planFiles(folder, projectOrSite)
  print(`sitewright init: ${title}`, '')
  printPlan(plan, dryRun)
  if (plan.missing.length > 0 && !dryRun) {
    const files = count(plan.missing.length, 'file')
    if (!yes && !(await confirm(`Write ${files}?`))) {
      print('Nothing was written.')
      return 1
    }
    writeFiles(folder, plan.missing)
    print(`Wrote ${files}.`, '')
  }
  print('Next steps:', '')
  for (const [index, step] of steps.entries())
    print(`${index + 1}. ${step.replaceAll('\n', '\n     ')}`.split('\n'), '')
  return 0
}

/** Returns the files and the steps for the project in a folder, or for a new site if the folder is empty. */
function inspect(folder: string, server: string | undefined): { title: string; files: ProjectFile[]; steps: string[] } {
  const site = server === undefined ? newSite(folder) : undefined
  if (site) return { title: `the smallest complete site, Hono, TypeScript, ${site.manager}`, ...site }
  const project = inspectProject(folder, server)
  const title = `${project.server}, ${project.typescript ? 'TypeScript' : 'JavaScript'}, ${project.manager}`
  return { title, files: projectFiles(project), steps: nextSteps(project) }
}

/** Prints the files to write, and the existing files. */
function printPlan({ missing, present }: Plan, dryRun: boolean): void {
  const rows = missing.map(({ path, purpose, edits }) => [`${edits ? '~' : '+'} ${path}`, purpose])
  if (missing.length === 0) print('Nothing to write: every file exists.', '')
  else print(dryRun ? 'Would write:' : 'To write:', ...alignColumns(rows), '')
  if (missing.length > 0 && present.length > 0)
    print('These exist, and stay as they are:', ...present.map((path) => `  · ${path}`), '')
}

/** Asks a yes-or-no question. Enter means yes. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CliError('There is no terminal to ask in: repeat with --yes to write, or with --dry-run.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await new Promise<string | undefined>((resolve) => {
    // Ctrl-C and Ctrl-D close the terminal, without an answer.
    terminal.once('close', () => resolve(undefined)).question(`${question} [Y/n] `, resolve)
  })
  terminal.close()
  if (answer === undefined) throw Object.assign(new CliError('Interrupted; nothing was written.'), { exitCode: 130 })
  return /^(?:y|yes|)$/i.test(answer.trim())
}
