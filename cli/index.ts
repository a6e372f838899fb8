#!/usr/bin/env node
import { CliError, parseCommand } from './arguments.js'
import { checkSite } from './check.js'
import { init } from './init.js'
import { print, printError } from './print.js'
import { listRemoval } from './remove.js'
import { checkStyleguide } from './styleguide-check.js'
import { exportStyleguide } from './styleguide-export.js'
import { packageVersion, readTemplate } from './templates.js'
import { warmSite } from './warm.js'

// If the reader of the output exits early, as in `sitewright init | head`, the command must still write its files.
process.stdout.on('error', () => {})
process.exitCode = await run(process.argv.slice(2)).catch(explain)

/** Runs the command and returns the exit code, as explained in `templates/help.txt`. */
async function run(args: readonly string[]): Promise<number> {
  const command = parseCommand(args)
  if (command.name === 'init') return init(process.cwd(), command)
  if (command.name === 'remove') return listRemoval(process.cwd(), command)
  if (command.name === 'check') return checkSite(command)
  if (command.name === 'warm') return warmSite(command)
  if (command.name === 'styleguide') return exportStyleguide(command)
  if (command.name === 'styleguide check') return checkStyleguide(command)
  print(command.name === 'version' ? packageVersion : readTemplate('help.txt').trimEnd().split('\n'))
  return 0
}

function explain(error: NodeJS.ErrnoException): number {
  // An error of the file system, such as a folder in place of a file, has a message that names the path.
  if (!(error instanceof CliError) && error.syscall === undefined) throw error
  printError(`Error: ${error.message}`)
  return error instanceof CliError ? error.exitCode : 1
}
