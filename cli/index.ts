#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline/promises'
import { type CheckCommand, CliError, help, type InitCommand, parseCommand } from './arguments.js'
import { checkSite } from './check.js'
import { type ProjectFile, planFiles, writeFiles } from './files.js'
import { print, printPlan, printSteps } from './print.js'
import { inspectProject } from './project.js'
import { newSite } from './site.js'
import { nextSteps, type Step } from './steps.js'
import { projectFiles } from './templates.js'

// If the reader of the output exits early, as in `sitewright init | head`, the command must still write its files.
process.stdout.on('error', () => {})
process.exitCode = await run(process.argv.slice(2))

/** Runs the command and returns the exit code, as explained in `help`. */
async function run(given: readonly string[]): Promise<number> {
  try {
    if (given[0] === 'styleguide' && !given.includes('--help'))
      return await (await import('./styleguide.js')).styleguide(given.slice(1))
    const command = parseCommand(given)
    if (command.name === 'init') return await init(process.cwd(), command)
    if (command.name === 'check') return await check(command)
    if (command.name === 'help') process.stdout.write(help)
    else print(version())
    return 0
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException
    // The file system's own messages name the path, for instance when a folder is in place of a file.
    if (!(error instanceof CliError) && syscall === undefined) throw error
    console.error(`Error: ${message}`)
    return error instanceof CliError ? error.exitCode : 1
  }
}

/** Writes the files that the project lacks, and prints the next steps. */
async function init(folder: string, { server, yes, dryRun }: InitCommand): Promise<number> {
  const { title, files: all, steps } = inspect(folder, server)
  const plan = planFiles(folder, all)
  printPlan(title, plan, dryRun)
  if (plan.missing.length > 0 && !dryRun) {
    const files = plan.missing.length === 1 ? '1 file' : `${plan.missing.length} files`
    if (!yes && !(await confirm(`Write ${files}?`))) {
      print('Nothing was written.')
      return 1
    }
    writeFiles(folder, plan.missing)
    print(`Wrote ${files}.`, '')
  }
  printSteps(steps)
  return 0
}

/** Returns the files and the steps for the project in a folder, or those of a new site if the folder is empty. */
function inspect(folder: string, server: string | undefined): { title: string; files: ProjectFile[]; steps: Step[] } {
  const site = server === undefined ? newSite(folder, version()) : undefined
  if (site) return { title: `the smallest complete site, Hono, TypeScript, ${site.manager}`, ...site }
  const project = inspectProject(folder, server)
  const language = project.typescript ? 'TypeScript' : 'JavaScript'
  return {
    title: `${project.server}, ${language}, ${project.manager}`,
    files: projectFiles(project),
    steps: nextSteps(project),
  }
}

/** Checks the alternates of a site, and prints the faults. The progress goes to the standard error. */
async function check({ url, limit }: CheckCommand): Promise<number> {
  const isTerminal = process.stderr.isTTY
  const onPage = (count: number) => void process.stderr.write(isTerminal ? `\r${count} pages` : '')
  const { pages, alternates, isCut, findings } = await checkSite(url, limit, onPage)
  if (isTerminal) process.stderr.write('\r')
  print(...findings)
  const faults = findings.length === 1 ? '1 fault' : `${findings.length} faults`
  print(`${pages} pages, ${alternates} alternates: ${faults}`)
  if (isCut) console.error(`There are more pages than the limit of ${limit}: see --limit.`)
  return findings.length === 0 ? 0 : 1
}

/** Asks a yes-or-no question. Enter means yes. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new CliError('There is no terminal to ask in: repeat with --yes to write, or with --dry-run.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C and Ctrl-D close the terminal, but closing it does not end the question.
  const closed = new AbortController()
  terminal.once('close', () => closed.abort())
  try {
    const answer = await terminal.question(`${question} [Y/n] `, { signal: closed.signal })
    return /^(?:y|yes|)$/i.test(answer.trim())
  } catch {
    throw new CliError('Interrupted; nothing was written.', 130)
  } finally {
    terminal.close()
  }
}

function version(): string {
  const path = createRequire(import.meta.url).resolve('sitewright/package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
