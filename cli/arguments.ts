import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The answer to `--help`. */
export const help = `Usage: npx sitewright init [options]
       npx sitewright check <url> [options]
       npx sitewright styleguide check <url> [options]
       npx sitewright styleguide <url> --out <folder>

init writes the files for images, revalidation and a styleguide into the project in
this folder (Next.js, Hono, Express or Vite); into an empty folder, the smallest
complete site. Then it prints the next steps. It asks first, and never overwrites
a file.

check crawls a running site, and checks that the alternates of each page answer
200, link back, and are in the language that they say.

styleguide check crawls a running site and its styleguide (at /styleguide, or the
URL), and measures how many colors, font sizes and distances in the stylesheets are
tokens. It lists the others with the nearest token, pairs of colors without enough
contrast, pictures without a text, headings that skip a level, and the pages of each
component.

styleguide reads the styleguide of a running site, and writes it as static files
into a folder: links, search and pictures work from any path of any server.

Options of init:
  --dry-run        Show the files and the steps, and write nothing.
  -y, --yes        Write without asking; needed where there is no terminal.
  --server <name>  next, hono, express or vite. Default: by package.json.

Options of check:
  --limit <pages>  Check at most so many pages. Default: 1000.

Options of styleguide check:
  --css <path>     Read a stylesheet, or those in a folder, in place of those that the
                   pages link to. Repeatable.
  --tokens <file>  A stylesheet whose custom properties are the tokens. Default: those
                   that the stylesheets declare for the document. Repeatable.
  --min <percent>  Fail if fewer of the values are tokens.
  --limit <pages>  Check at most so many pages. Default: 1000.
  --json           Print JSON, for the styleguide's page and for machines.

  -h, --help       Show this text.
  -v, --version    Show the version.

Exit codes: 0 done, or nothing to do; 1 failed, declined, or faults found;
2 wrong usage; 130 interrupted.
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

/** What `sitewright check` was asked to do. */
export interface CheckCommand {
  name: 'check'
  /** The site as given, unchecked. */
  url: string
  /** Maximum number of pages. */
  limit: number
}

export type Command = { name: 'help' } | { name: 'version' } | InitCommand | CheckCommand

/**
 * Reads the arguments after `sitewright`.
 *
 * @throws CliError for an unknown command or option.
 * @example parseCommand(['init', '--yes']) // { name: 'init', yes: true, dryRun: false, server: undefined }
 */
export function parseCommand(given: readonly string[]): Command {
  const { values, positionals } = parseOptions(given, {
    'dry-run': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
    limit: { type: 'string' },
    server: { type: 'string' },
    version: { type: 'boolean', short: 'v' },
    yes: { type: 'boolean', short: 'y' },
  })
  if (values.help) return { name: 'help' }
  if (values.version) return { name: 'version' }
  const [name, ...rest] = positionals
  if (name === undefined) return { name: 'help' }
  if (name === 'check') return { name, ...parseSite(name, rest, values.limit) }
  if (name !== 'init') throw usageError(`command: expected init, check or styleguide, got '${name}'`)
  if (rest.length > 0) throw usageError(`init: expected no further arguments, got '${rest.join(' ')}'`)
  return { name, yes: values.yes ?? false, dryRun: values['dry-run'] ?? false, server: values.server }
}

/** Reads the URL and the limit of a command that crawls a site. */
export function parseSite(
  command: string,
  [url, ...rest]: readonly string[],
  limit = '1000',
): { url: string; limit: number } {
  if (url === undefined) throw usageError(`${command}: expected a URL such as http://localhost:3000, got nothing`)
  if (rest.length > 0) throw usageError(`${command}: expected one URL, got also '${rest.join(' ')}'`)
  if (!/^[1-9]\d{0,6}$/.test(limit)) throw usageError(`limit: expected a number of pages, got '${limit}'`)
  return { url, limit: Number(limit) }
}

/**
 * Parses options, as `parseArgs` of Node describes them.
 *
 * @throws CliError for an unknown option.
 */
export function parseOptions<Options extends ParseArgsConfig['options']>(
  given: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: Options }>> {
  try {
    return parseArgs({ args: [...given], allowPositionals: true, options })
  } catch (error) {
    // The first sentence says what is wrong; the others explain `--`, which no argument here needs.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/)
    throw usageError(sentence)
  }
}
