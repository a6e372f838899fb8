import { InitError } from './init-error.js'
import { nextSteps } from './plan/next-steps.js'
import { createdPaths, planFiles } from './plan/plan.js'
import { projectFiles } from './plan/templates.js'
import { exampleOf, runLines } from './plan/usage.js'
import { type GitState, gitState } from './project/git.js'
import { readPackageJson } from './project/package-json.js'
import { inspectProject, type Project } from './project/project.js'
import { findServers, type Server, servers, serverTitles } from './project/server.js'
import { askForServer, askToWrite, canAsk } from './prompts.js'
import { printPlan, printSteps, printUndo, printUsage } from './report.js'
import { bold, dim, green, print, yellow } from './terminal.js'
import { writeFiles } from './write-files.js'

export interface InitOptions {
  /** The project's folder. */
  folder: string
  /** Writes without asking. */
  yes: boolean
  /** Writes nothing. */
  dryRun: boolean
  /** Default: by the dependencies. */
  server: Server | undefined
}

/**
 * Writes the files that a project lacks, and says what was done, what is left to do, and what to run. Returns `false` when the user declined.
 *
 * @throws InitError when the project cannot be read, or a file cannot be written; then nothing was.
 */
export async function init({ folder, yes, dryRun, server }: InitOptions): Promise<boolean> {
  const packageJson = readPackageJson(folder)
  const found = server ?? (await chooseServer(packageJson.dependencies))
  const project = inspectProject(folder, found, packageJson)
  const plan = planFiles(folder, projectFiles(project))
  const git = gitState(folder)
  print(bold('sitewright init'), dim(describe(project)), '')
  printPlan(plan, dryRun)
  if (plan.missing.length > 0 && !dryRun) {
    if (git !== 'clean') print(yellow(gitWarnings[git]), '')
    if (!yes && !(await askToWrite(`Write ${count(plan.missing)}?`, git === 'clean'))) {
      print('Nothing was written.')
      return false
    }
    const created = createdPaths(folder, plan.missing)
    writeFiles(folder, plan.missing)
    print(green(`Wrote ${count(plan.missing)}.`))
    printUndo(created)
  }
  // Again, since a file that was written may have been what a step was for.
  const written = dryRun ? project : inspectProject(folder, found, packageJson)
  const steps = nextSteps(written)
  printSteps(steps)
  if (plan.missing.length > 0 || !project.usesFiles) printUsage('In your own pages:', exampleOf(written))
  printUsage(steps.every(({ done }) => done) ? 'Now:' : 'Then:', runLines(written))
  return true
}

async function chooseServer(dependencies: ReadonlySet<string>): Promise<Server> {
  const found = findServers(dependencies)
  const [only] = found
  if (only === 'hono' && dependencies.has('wrangler')) throw new InitError(workersMessage)
  if (only && found.length === 1) return only
  if (canAsk()) return askForServer(only ? found : servers)
  const names = `--server ${(only ? found : servers).join('|')}`
  if (only) throw new InitError(`package.json names ${found.join(' and ')}: choose one with ${names}.`)
  throw new InitError(`package.json names no server that is known: choose one with ${names}.`)
}

const workersMessage =
  'The files are for Node: Cloudflare Workers have neither sharp nor folders. With --server hono they are written all the same.'

function describe({ server, typescript, esm, manager }: Project): string {
  const language = typescript ? 'TypeScript' : `JavaScript, ${esm ? 'ES modules' : 'CommonJS'}`
  return `${serverTitles[server]}, ${language}, ${manager}`
}

const gitWarnings: Record<Exclude<GitState, 'clean'>, string> = {
  dirty: 'The git tree has uncommitted changes: what is written will be among them.',
  none: 'This is no git repository: git cannot undo what is written.',
}

function count({ length }: readonly unknown[]): string {
  return length === 1 ? '1 file' : `${length} files`
}
