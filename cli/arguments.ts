import { parseArgs } from 'node:util'
import { UsageError } from './init-error.js'
import { isServer, type Server, servers } from './project/server.js'

/** What the command line asks for. */
export type Command =
  | { name: 'help' }
  | { name: 'version' }
  | { name: 'init'; yes: boolean; dryRun: boolean; server: Server | undefined }

/**
 * Reads the arguments after `sitewright`.
 *
 * @throws UsageError for an unknown command, option or server.
 * @example parseCommand(['init', '--yes']) // { name: 'init', yes: true, dryRun: false, server: undefined }
 */
export function parseCommand(given: readonly string[]): Command {
  const { values, positionals } = parse(given)
  if (values.help) return { name: 'help' }
  if (values.version) return { name: 'version' }
  const [name, ...rest] = positionals
  if (name === undefined) return { name: 'help' }
  if (name !== 'init') throw new UsageError(`command: expected init, got '${name}'`)
  if (rest.length > 0) throw new UsageError(`init: expected no further arguments, got '${rest.join(' ')}'`)
  const { server, yes = false, 'dry-run': dryRun = false } = values
  if (server !== undefined && !isServer(server)) {
    throw new UsageError(`--server: expected one of ${servers.join(', ')}, got '${server}'`)
  }
  return { name, yes, dryRun, server }
}

function parse(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        server: { type: 'string' },
        version: { type: 'boolean', short: 'v' },
        yes: { type: 'boolean', short: 'y' },
      },
    })
  } catch (error) {
    // Its first sentence says what is wrong; the others tell of `--`, which no argument of ours needs.
    const [sentence] = (error as Error).message.split(/\. |\n/)
    throw new UsageError(sentence)
  }
}
