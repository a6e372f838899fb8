import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CliError } from './arguments.js'

/** A file to write. */
export interface ProjectFile {
  /** Relative to the project's folder, with forward slashes. */
  path: string
  text: string | Uint8Array
  /** The purpose of the file, in a few words. */
  purpose: string
  /** Whether to replace an existing file. `text` must have all content of that file. Default `false`. */
  edits?: boolean
}

/** The missing files, and the paths of existing files. */
export type Plan = ReturnType<typeof planFiles>

const endings = ['ts', 'tsx', 'mts', 'js', 'jsx', 'mjs', 'cjs']

/**
 * Separates missing files from existing files. A broken link, a folder, or `route.js` in place of `route.ts` counts as
 * existing.
 */
export function planFiles(folder: string, files: readonly ProjectFile[]) {
  const missing: ProjectFile[] = []
  const present: string[] = []
  for (const file of files) {
    const [, base] = /^(.*)\.(?:[jt]sx?|mjs)$/.exec(file.path) ?? []
    const paths = [file.path, ...(base === undefined ? [] : endings.map((ending) => `${base}.${ending}`))]
    const existing = paths.find((path) => lstatSync(join(folder, path), { throwIfNoEntry: false }))
    if (existing === undefined || file.edits) missing.push(file)
    else present.push(existing)
  }
  return { missing, present }
}

/**
 * Writes files that do not exist yet, and files with `edits`. If a file cannot be written, the files that were written
 * stay, and the next run writes the rest.
 *
 * @throws CliError that names the file that could not be written.
 */
export function writeFiles(folder: string, files: readonly ProjectFile[]): void {
  for (const [index, file] of files.entries()) {
    try {
      writeWhole(join(folder, file.path), file.text, file.edits ?? false)
    } catch (error) {
      const written = index === 0 ? 'Nothing was written' : `${index} of ${files.length} files were written`
      const { message } = error as Error
      throw new CliError(`${file.path}: ${message}\n${written}; run it again to write the missing ones.`)
    }
  }
}

/**
 * Writes a temporary file and renames it, so that a killed run leaves no incomplete file. Each run uses the same
 * temporary name.
 *
 * @param edits Whether to replace an existing file.
 * @throws Error if the file exists, or if the temporary name is taken by anything but a file, such as a link.
 */
export function writeWhole(target: string, text: string | Uint8Array, edits: boolean): void {
  const folder = dirname(target)
  mkdirSync(folder, { recursive: true })
  const temporary = join(folder, '.sitewright-unfinished')
  removeFile(temporary)
  try {
    // With `wx`, the text is not written through a link of the temporary name.
    writeFileSync(temporary, text, { flag: 'wx' })
    // Another process may have created the file since it was looked for.
    if (!edits && lstatSync(target, { throwIfNoEntry: false }))
      throw new Error(`EEXIST: file already exists, rename '${target}'`)
    renameSync(temporary, target)
  } finally {
    removeFile(temporary)
  }
}

/** Removes a file, but neither a link nor a folder. */
function removeFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path)
}

/** Returns the names in a folder, or an empty list if the folder does not exist. */
export function list(folder: string, recursive = false): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive, encoding: 'utf8' }) : []
}

/** Returns the text of a file, or `''` if the file does not exist. */
export function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
