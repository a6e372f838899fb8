import { spawn } from 'node:child_process'
import { cliPath } from './project.js'

/**
 * Runs the command in a terminal of 80 columns, and types `answer` once it asks. Of util-linux: `script`, which gives a
 * program a terminal.
 */
export async function runInTerminal(folder: string, given: string[], answer: string, environment = {}) {
  const command = ['stty cols 80;', process.execPath, cliPath, ...given].join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, TERM: 'xterm-256color', ...environment },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    const asked = output.includes('?')
    output += chunk
    if (!asked && output.includes('?')) child.stdin.write(answer)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}
