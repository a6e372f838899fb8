import { posix } from 'node:path'
import { type Command, usageError } from './arguments.js'
import { planFiles, read } from './files.js'
import { count, print } from './print.js'
import { inspectProject } from './project.js'
import { listOwnFiles } from './styles.js'
import { projectFiles } from './templates.js'

const text = /\.(?:[cm]?[jt]sx?|json|s?css|html|mdx?|astro|pug|vue|svelte)$/
const environment = /(?:^|\/)\.env(?:\.[\w-]+)*$/
const lockFile = /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/
const own = ['sitewright', 'REVALIDATE_SECRET', 'STYLEGUIDE_ENABLED']

/** Lists the files and lines of a project that belong to this package. Changes nothing. */
export function listRemoval(folder: string, { operands, values }: Command): number {
  if (operands.length > 0) throw usageError(`remove: expected no further arguments, got '${operands.join(' ')}'`)
  if (!values['dry-run']) throw usageError('remove: expected --dry-run, because it lists what to remove, got nothing')
  const project = inspectProject(folder, values.server)
  const files = planFiles(folder, projectFiles(project)).present
  const isRead = (path: string) => (text.test(path) && !lockFile.test(path)) || environment.test(path)
  const others = listOwnFiles(folder).filter((path) => isRead(path) && !files.includes(path))
  const isOwn = createIsOwn(files)
  const lines = others.flatMap((path) =>
    read(posix.join(folder, path))
      .split('\n')
      // The value of a variable may be a secret.
      .map((line, index) => [environment.test(path) ? line.replace(/=.*/, '=…') : line.trim(), index + 1] as const)
      .filter(([line]) => isOwn(line))
      .map(([line, number]) => `  ${path}:${number}  ${line}`),
  )
  if (files.length > 0) print('Files that init has written:', ...files.map((path) => `  ${path}`), '')
  if (lines.length > 0) print('Lines that name this package, its files or its variables:', ...lines, '')
  print('Then uninstall sitewright, delete .cache/, and let the types say which names are missing.')
  print(`${count(files.length, 'file')}, ${count(lines.length, 'line')}. Nothing was changed.`)
  return 0
}

/** Creates a function that returns whether a line names this package, its variables, or one of its files. */
function createIsOwn(files: readonly string[]): (line: string) => boolean {
  const toModule = (path: string) => posix.basename(path).replace(/\.\w+$/, '')
  // Routes are not imported, and the folder `sitewright-setup` is found by its name.
  const modules = files.map(toModule).filter((name) => !/^(?:route|page|layout|index)$/.test(name))
  return (line) => {
    if (own.some((name) => line.includes(name))) return true
    return [...line.matchAll(/['"]([.@~][^'"]*)['"]/g)].some(([, path = '']) => modules.includes(toModule(path)))
  }
}
