#!/usr/bin/env node
import { CliError, parseCommand } from './arguments.js'
import { print, printError } from './print.js'
import { packageVersion, readTemplate } from './templates.js'

// If the reader of the output exits early, as in `sitewright init | head`, the command must still write its files.
process.stdout.on('error', () => {})
process.exitCode = await run(process.argv.slice(2)).catch(explain)

/** Runs the command and returns the exit code, as explained in `templates/help.txt`. */
async function run(args: readonly string[]): Promise<number> {
  const command = parseCommand(args)
  const { name } = command
  // Each command is loaded when it runs: some read styles, and their modules take longer to load than Node itself.
  if (name === 'init') return (await import('./init.js')).init(process.cwd(), command)
  if (name === 'remove') return (await import('./remove.js')).listRemoval(process.cwd(), command)
  if (name === 'check') return (await import('./check.js')).checkSite(command)
  if (name === 'warm') return (await import('./warm.js')).warmSite(command)
  if (name === 'styleguide') return (await import('./styleguide-export.js')).exportStyleguide(command)
  if (name === 'styleguide check') return (await import('./styleguide-check.js')).checkStyleguide(command)
  print(name === 'version' ? packageVersion : readTemplate('help.txt').trimEnd().split('\n'))
  return 0
}

function explain(error: NodeJS.ErrnoException): number {
  // An error of the file system, such as a folder in place of a file, has a message that names the path.
  if (!(error instanceof CliError) && error.syscall === undefined) throw error
  printError(`Error: ${error.message}`)
  return error instanceof CliError ? error.exitCode : 1
}
