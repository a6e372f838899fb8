import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CliError, type Command, siteOf, usageError } from './arguments.js'
import { writeWhole } from './files.js'
import { print } from './print.js'
import { isPlainPath, readSiteFiles, relink, type SiteFiles } from './site-files.js'
import { keepState } from './styleguide-state.js'

/**
 * The name of the file that lists the files of the last export, as the command `sha256sum` writes it: lines of a digest
 * in hexadecimal digits, two spaces, and a path.
 */
const listName = '.sitewright-export'
const pathStart = 66

/** Writes a running styleguide as static files, and returns the exit code. */
export async function exportStyleguide(command: Command): Promise<number> {
  const { out, state } = command.values
  const url = siteOf(command)
  if (!out) throw usageError('out: expected a folder, such as --out public/styleguide, got nothing')
  const previous = readPrevious(out)
  const { files, faults } = await readSiteFiles(url)
  const { paths, occupied } = writeExport(out, previous, files)
  for (const path of occupied) faults.push(`${join(out, path)} was not written: no export wrote what is in its place`)
  if (state) await keepState(state, url)
  const pages = paths.filter((path) => path.endsWith('.html')).length
  print(faults, `${out}: ${pages} pages and ${paths.length - pages} other files`)
  return faults.length === 0 ? 0 : 1
}

/**
 * Returns the list of the last export, without paths that no export writes, such as a path out of the folder.
 *
 * @throws CliError if the folder has files, but no list of an export.
 */
export function readPrevious(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const hasList = names.includes(listName)
  const existing = names.find((name) => !name.startsWith('.'))
  if (!hasList && existing !== undefined)
    throw new CliError(`out: expected a new or empty folder, or an earlier export, got ${folder} with ${existing}`)
  const list = hasList ? readFileSync(join(folder, listName), 'utf8') : ''
  return list.split('\n').filter((line) => isPlainPath(line.slice(pathStart)))
}

/**
 * Writes the files, and removes files of the last export that no longer exist. A file that no export wrote, or that was
 * changed since, stays. The list has the files of both exports until the end, so that an interrupted run can be
 * repeated.
 *
 * @param previous The list of the last export.
 * @returns The paths that were written, and the paths at which another file stays.
 */
export function writeExport(folder: string, previous: readonly string[], files: SiteFiles) {
  const texts = new Map(Array.from(files.values(), (file) => [file.path, relink(file, files)] as const))
  const toList = () => Array.from(texts, ([path, text]) => toLine(path, text))
  const list = join(folder, listName)
  writeWhole(list, [...previous, ...toList(), ''].join('\n'), true)
  const known = new Set([...previous, undefined])
  const isKnown = (path: string) => known.has(lineAt(folder, path))
  const gone = previous.map((line) => line.slice(pathStart)).filter((path) => !texts.has(path))
  for (const path of gone.filter(isKnown)) rmSync(join(folder, path), { force: true })
  const occupied = [...texts.keys()].filter((path) => !isKnown(path))
  for (const path of occupied) texts.delete(path)
  for (const [path, text] of texts) writeWhole(join(folder, path), text, true)
  writeWhole(list, [...toList(), ''].join('\n'), true)
  return { paths: [...texts.keys()], occupied }
}

/**
 * Returns the line of the file at a path, or `undefined` if the path is free. If a link or a folder is at the path, or a
 * link or a file in place of one of its folders, returns `''`.
 */
function lineAt(folder: string, path: string): string | undefined {
  const names = path.split('/')
  for (const index of names.keys()) {
    const stats = lstatSync(join(folder, ...names.slice(0, index + 1)), { throwIfNoEntry: false })
    if (!stats) return undefined
    if (index < names.length - 1 ? !stats.isDirectory() : !stats.isFile()) return ''
  }
  return toLine(path, readFileSync(join(folder, path)))
}

function toLine(path: string, text: string | Buffer): string {
  return `${createHash('sha256').update(text).digest('hex')}  ${path}`
}
