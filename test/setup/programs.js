import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** @type {Record<string, string[]>} */
const otherNames = {
  chromium: [
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
}

/**
 * Path of a program: what the environment variable of its name says, else the first on PATH.
 *
 * @param {string} program
 * @returns {string | undefined}
 */
export function findProgram(program) {
  const said = process.env[program.toUpperCase().replaceAll('-', '_')]
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = [program, ...(otherNames[program] ?? [])].flatMap((name) =>
    name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name)),
  )
  return [...(said ? [said] : []), ...paths].find(isExecutable)
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
