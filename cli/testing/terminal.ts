import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { cliPath } from './project.js'

/** What a prompt begins with, once it listens to keys. */
const hideCursor = `${String.fromCharCode(27)}[?25l`

/**
 * Runs the command in a terminal of 80 columns, and types `answer` once it asks. Of util-linux: `script`, which gives a
 * program a terminal.
 */
export async function runInTerminal(folder: string, given: string[], answer: string, environment = {}) {
  const command = ['stty rows 24 cols 80;', process.execPath, cliPath, ...given].join(' ')
  // As on a user's machine: an unknown CI has no colors.
  const { CI: _, ...inherited } = process.env
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
    env: { ...inherited, TERM: 'xterm-256color', ...environment },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    const asked = output.includes(hideCursor)
    output += chunk
    if (!asked && output.includes(hideCursor)) child.stdin.write(answer)
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}
