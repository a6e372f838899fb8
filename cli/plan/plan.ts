import { lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { InitError } from '../init-error.js'
import type { ProjectFile } from './templates.js'

/** What would be written, and what is there already. */
export interface Plan {
  missing: ProjectFile[]
  /** Paths of the files that are there. */
  present: string[]
}

const endings = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.mts', '.cjs']

/**
 * Compares the files with what is there. A file that is there in any form, as a link to nothing or as `route.js` in place of
 * `route.ts`, is left alone.
 *
 * @throws InitError when something else is where a folder is needed, before anything is written.
 */
export function planFiles(folder: string, files: readonly ProjectFile[]): Plan {
  const plan: Plan = { missing: [], present: [] }
  for (const file of files) {
    expectFolders(folder, file.path)
    const found = spellings(file.path).find((path) => isThere(join(folder, path)))
    if (found === undefined) plan.missing.push(file)
    else plan.present.push(found)
  }
  return plan
}

/** Returns the files, and after them the folders that they need and that are not there yet, the innermost first. */
export function createdPaths(folder: string, files: readonly ProjectFile[]): string[] {
  const paths = files.map(({ path }) => path)
  const folders = paths.flatMap((path) => {
    const parts = path.split('/').slice(0, -1)
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  })
  const created = [...new Set(folders)].filter((path) => !isThere(join(folder, path)))
  return [...paths, ...created.sort((a, b) => b.length - a.length)]
}

function spellings(path: string): string[] {
  const [, base] = /^(.*)\.[cm]?[jt]sx?$/.exec(path) ?? []
  return base === undefined ? [path] : [path, ...endings.map((ending) => base + ending)]
}

function expectFolders(folder: string, path: string): void {
  const parts = path.split('/').slice(0, -1)
  for (const index of parts.keys()) {
    const above = parts.slice(0, index + 1).join('/')
    if (!isThere(join(folder, above))) return
    if (statSync(join(folder, above), { throwIfNoEntry: false })?.isDirectory()) continue
    throw new InitError(`${above} is not a folder, but ${path} belongs into it. Nothing was written.`)
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
