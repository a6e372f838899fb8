#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseCommand } from './arguments.js'
import { help } from './help.js'
import { init } from './init.js'
import { InitError, UsageError } from './init-error.js'
import { CancelledError } from './prompts.js'
import { print, red } from './terminal.js'

process.exitCode = await run(process.argv.slice(2))

/** Returns the exit code, as `help` explains them. */
async function run(given: readonly string[]): Promise<number> {
  try {
    const command = parseCommand(given)
    if (command.name === 'help') process.stdout.write(help)
    else if (command.name === 'version') print(version())
    else if (!(await init({ ...command, folder: process.cwd() }))) return 1
    return 0
  } catch (error) {
    return report(error)
  }
}

function report(error: unknown): number {
  if (error instanceof CancelledError) {
    print('Interrupted; nothing was written.')
    return 130
  }
  if (!(error instanceof InitError || error instanceof UsageError)) throw error
  const hint = error instanceof UsageError ? '\nTry npx sitewright --help.' : ''
  console.error(`${red('Error:')} ${error.message}${hint}`)
  return error instanceof UsageError ? 2 : 1
}

function version(): string {
  const path = createRequire(import.meta.url).resolve('sitewright/package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
