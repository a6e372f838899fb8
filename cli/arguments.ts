import { parseArgs } from 'node:util'

/** The answer to `--help`. */
export const help = `Usage: npx sitewright init [options]

Writes the files for images, revalidation and a styleguide into the project in
this folder (Next.js, Hono, Express or Vite); into an empty folder, the smallest
complete site. Then it prints the next steps. It asks first, and never overwrites
a file.

Options:
  --dry-run        Show the files and the steps, and write nothing.
  -y, --yes        Write without asking; needed where there is no terminal.
  --server <name>  next, hono, express or vite. Default: by package.json.
  -h, --help       Show this text.
  -v, --version    Show the version.

Exit codes: 0 done, or nothing to do; 1 failed, or declined; 2 wrong usage;
130 interrupted.
`

/** A failure that the user can fix. The message says how, and is shown without a stack trace. */
export class CliError extends Error {
  override name = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Creates the error for an invalid command line, with exit code 2. */
export function usageError(message: string): CliError {
  return new CliError(`${message}\nTry npx sitewright --help.`, 2)
}

/** What `sitewright init` was asked to do. */
export interface InitCommand {
  name: 'init'
  /** Writes without asking. */
  yes: boolean
  /** Writes nothing. */
  dryRun: boolean
  /** The server as given, unchecked. Default: detected from the dependencies. */
  server: string | undefined
}

export type Command = { name: 'help' } | { name: 'version' } | InitCommand

/**
 * Reads the arguments after `sitewright`.
 *
 * @throws CliError for an unknown command or option.
 * @example parseCommand(['init', '--yes']) // { name: 'init', yes: true, dryRun: false, server: undefined }
 */
export function parseCommand(given: readonly string[]): Command {
  const { values, positionals } = parse(given)
  if (values.help) return { name: 'help' }
  if (values.version) return { name: 'version' }
  const [name, ...rest] = positionals
  if (name === undefined) return { name: 'help' }
  if (name !== 'init') throw usageError(`command: expected init, got '${name}'`)
  if (rest.length > 0) throw usageError(`init: expected no further arguments, got '${rest.join(' ')}'`)
  return { name, yes: values.yes ?? false, dryRun: values['dry-run'] ?? false, server: values.server }
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
    // The first sentence says what is wrong; the others explain `--`, which no argument here needs.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/)
    throw usageError(sentence)
  }
}
