import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CliError, type Command, siteOf, usageError } from './arguments.js'
import { print } from './print.js'
import { readSiteFiles, relink, type SiteFiles } from './site-files.js'

/** The name of the file that lists the files of the last export. Other files in the folder are not touched. */
const listName = '.sitewright-export'

/** Writes a running styleguide as static files, and returns the exit code. */
export async function exportStyleguide(command: Command): Promise<number> {
  const { out } = command.values
  const url = siteOf(command)
  if (!out) throw usageError('out: expected a folder, such as --out public/styleguide, got nothing')
  const previous = readPrevious(out)
  const { files, faults } = await readSiteFiles(url)
  const paths = writeExport(out, previous, files)
  const pages = paths.filter((path) => path.endsWith('.html')).length
  print(...faults, `${out}: ${pages} pages and ${paths.length - pages} other files`)
  return faults.length === 0 ? 0 : 1
}

/**
 * Returns the paths that the last export wrote.
 *
 * @throws CliError if the folder has files, but no list of an export.
 */
export function readPrevious(folder: string): string[] {
  const list = join(folder, listName)
  if (existsSync(list)) return readFileSync(list, 'utf8').split('\n').filter(Boolean)
  const existing = existsSync(folder) ? readdirSync(folder).find((name) => !name.startsWith('.')) : undefined
  if (existing === undefined) return []
  throw new CliError(`out: expected a new or empty folder, or an earlier export, got ${folder} with ${existing}`)
}

/**
 * Writes the files, removes files of the last export that no longer exist, and returns the paths. The list has the
 * files of both exports until the end, so that an interrupted run can be repeated.
 */
export function writeExport(folder: string, previous: readonly string[], files: SiteFiles): string[] {
  const paths = [...new Set([...files.values()].map(({ path }) => path))]
  const list = join(folder, listName)
  mkdirSync(folder, { recursive: true })
  writeFileSync(list, [...new Set([...previous, ...paths]), ''].join('\n'))
  for (const path of previous) if (!paths.includes(path)) rmSync(join(folder, path), { force: true })
  for (const file of files.values()) {
    const target = join(folder, file.path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, relink(file, files))
  }
  writeFileSync(list, [...paths, ''].join('\n'))
  return paths
}
