import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CliError, type Command, siteOf, usageError } from './arguments.js'
import { writeWhole } from './files.js'
import { print } from './print.js'
import { isPlainPath, readSiteFiles, relink, type SiteFiles } from './site-files.js'

/**
 * The name of the file that lists the files of the last export: a JSON array of entries, each the SHA-256 of a file in
 * hexadecimal digits, a space, and the path of the file.
 */
const listName = '.sitewright-export'

/** Writes a running styleguide as static files, and returns the exit code. */
export async function exportStyleguide(command: Command): Promise<number> {
  const { out } = command.values
  const url = siteOf(command)
  if (!out) throw usageError('out: expected a folder, such as --out public/styleguide, got nothing')
  const previous = readPrevious(out)
  const { files, faults } = await readSiteFiles(url)
  const { paths, occupied } = writeExport(out, previous, files)
  const sentences = occupied.map(
    (path) => `${join(out, path)} was not written: a file or link that no export wrote is in its place`,
  )
  const pages = paths.filter((path) => path.endsWith('.html')).length
  print(...faults, ...sentences, `${out}: ${pages} pages and ${paths.length - pages} other files`)
  return faults.length + occupied.length === 0 ? 0 : 1
}

/**
 * Returns the list of the files that the last export wrote.
 *
 * @throws CliError if the folder has files, but no list of an export.
 */
export function readPrevious(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const hasList = names.includes(listName)
  const list = hasList ? parseList(readFileSync(join(folder, listName), 'utf8')) : []
  const existing = hasList ? `another ${listName}` : names.find((name) => !name.startsWith('.'))
  if (list && (hasList || existing === undefined)) return list
  throw new CliError(`out: expected a new or empty folder, or an earlier export, got ${folder} with ${existing}`)
}

/** Leaves out entries that no export writes, such as that of a path out of the folder. */
function parseList(text: string): string[] | undefined {
  try {
    return (JSON.parse(text) as unknown[]).map(String).filter((entry) => isPlainPath(pathOf(entry)))
  } catch {
    return undefined
  }
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
  const list = Array.from(texts, ([path, text]) => toEntry(path, text))
  const saveList = (entries: string[]) => writeWhole(join(folder, listName), JSON.stringify(entries, null, 2), true)
  saveList([...previous, ...list])
  const known = new Set<string | undefined>(previous)
  for (const path of new Set(previous.map(pathOf)))
    if (!texts.has(path) && known.has(entryAt(folder, path))) rmSync(join(folder, path))
  const occupied = new Set<string>()
  for (const [path, text] of texts) {
    const entry = entryAt(folder, path)
    if (entry === undefined || known.has(entry)) writeWhole(join(folder, path), text, entry !== undefined)
    else occupied.add(path)
  }
  saveList(list.filter((entry) => !occupied.has(pathOf(entry))))
  return { paths: [...texts.keys()].filter((path) => !occupied.has(path)), occupied: [...occupied] }
}

/**
 * Returns the entry of the file at a path, or `undefined` if the path is free. If a link or a folder is at the path, or
 * a link or a file in place of one of its folders, returns `''`.
 */
function entryAt(folder: string, path: string): string | undefined {
  const names = path.split('/')
  for (const index of names.keys()) {
    const stats = lstatSync(join(folder, ...names.slice(0, index + 1)), { throwIfNoEntry: false })
    if (!stats) return undefined
    if (index < names.length - 1 ? !stats.isDirectory() : !stats.isFile()) return ''
  }
  return toEntry(path, readFileSync(join(folder, path)))
}

function toEntry(path: string, text: string | Buffer): string {
  return `${createHash('sha256').update(text).digest('hex')} ${path}`
}

function pathOf(entry: string): string {
  return entry.slice(65)
}
