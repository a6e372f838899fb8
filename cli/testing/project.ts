import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const cliPath = join(root, 'dist/cli/index.js')
const cat = join(root, 'examples/site/media/locomotion-house-cat.jpg')

/** The texts of files by their paths; objects are written as JSON. */
export type Files = Record<string, string | object>

/**
 * Creates a project that is removed after the test.
 *
 * @param within The parent folder. Default: the folder of temporary files, with a link to this package's
 *   `node_modules`.
 */
export function createProject(files: Files, within?: string): string {
  if (within) mkdirSync(within, { recursive: true })
  const folder = mkdtempSync(join(within ?? tmpdir(), 'init-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  if (!within) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeProject(folder, files)
  return folder
}

export function writeProject(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

/** Puts a real photograph into the project. */
export function addPicture(folder: string, path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  cpSync(cat, join(folder, path))
}

/** Runs the built command in a folder, without a terminal. */
export function run(folder: string, args: string[]) {
  return spawnText(folder, [process.execPath, cliPath, ...args])
}

/** Runs the built command without root's right to write into every folder. `setpriv` is part of util-linux. */
export function runWithoutPrivilege(folder: string, args: string[]) {
  const drop = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override'] : []
  return spawnText(folder, [...drop, process.execPath, cliPath, ...args])
}

function spawnText(cwd: string, [command = '', ...args]: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return { code: status, stdout, stderr }
}

/** Returns the paths of a project's files, except packages, in alphabetical order. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('node_modules'))
    .sort()
}
