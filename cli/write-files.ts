import { lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { InitError } from './init-error.js'
import type { ProjectFile } from './plan/templates.js'

/**
 * Writes all files or none: when one fails, what was created before it is removed again. Signals wait until it is done.
 *
 * @throws InitError that names the file that could not be written.
 */
export function writeFiles(folder: string, files: readonly ProjectFile[]): void {
  const undo: (() => void)[] = []
  // Listeners are called once this function has returned; without any, the process would end in between.
  const wait = () => {}
  process.on('SIGINT', wait).on('SIGTERM', wait)
  try {
    for (const { path, text } of files) {
      try {
        createFolder(dirname(join(folder, path)), undo)
        createFile(join(folder, path), text, undo)
      } catch (error) {
        for (const remove of undo.reverse()) remove()
        throw new InitError(`${path} could not be written, so nothing was: ${(error as Error).message}`)
      }
    }
  } finally {
    process.off('SIGINT', wait).off('SIGTERM', wait)
  }
}

function createFolder(path: string, undo: (() => void)[]): void {
  if (lstatSync(path, { throwIfNoEntry: false })) return
  createFolder(dirname(path), undo)
  mkdirSync(path)
  undo.push(() => rmdirSync(path))
}

function createFile(path: string, text: string, undo: (() => void)[]): void {
  try {
    // Not over a file that has come since it was looked for.
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    // A full disk leaves a file with the first part of the text.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(path, { force: true })
    throw error
  }
  undo.push(() => rmSync(path))
}
