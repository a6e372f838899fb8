import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { cliPath } from './project.js'

/**
 * Runs the command in a terminal of 80 columns, and types `answer` when the command asks. `script`, which gives a
 * program a terminal, is part of util-linux.
 */
export async function runInTerminal(folder: string, args: string[], answer: string) {
  const command = ['stty rows 24 cols 80;', process.execPath, cliPath, ...args].join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    const asked = output.includes('[Y/n] ')
    output += chunk
    if (!asked && output.includes('[Y/n] ')) child.stdin.write(answer)
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}
