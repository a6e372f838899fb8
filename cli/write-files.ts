import { lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { InitError } from './init-error.js'
import type { ProjectFile } from './plan/templates.js'

/**
 * Writes all files or none: when one fails, what was created before it is removed again. Ctrl-C does not end it in between.
 *
 * @throws InitError that names the file that could not be written.
 */
export function writeFiles(folder: string, files: readonly ProjectFile[]): void {
  const undo: (() => void)[] = []
  // Without a listener the process would end at once; a listener is called by the event loop, so not in between.
  const ignore = () => {}
  process.on('SIGINT', ignore).on('SIGTERM', ignore)
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
    process.off('SIGINT', ignore).off('SIGTERM', ignore)
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
