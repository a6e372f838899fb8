import { parseArgs } from 'node:util'

/** A failure that the user can fix. The message says how, and is shown without a stack trace. */
export class CliError extends Error {
  override name = 'CliError'
  exitCode = 1
}

/** Creates the error for an invalid command line, with exit code 2. */
export function usageError(message: string): CliError {
  return Object.assign(new CliError(`${message}\nTry npx sitewright --help.`), { exitCode: 2 })
}

const options = {
  changed: { type: 'string' },
  css: { type: 'string', multiple: true },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  limit: { type: 'string' },
  min: { type: 'string' },
  out: { type: 'string' },
  server: { type: 'string' },
  start: { type: 'string' },
  state: { type: 'string' },
  tokens: { type: 'string', multiple: true },
  version: { type: 'boolean', short: 'v' },
  yes: { type: 'boolean', short: 'y' },
} as const

/** The options of each command. */
const commands: Readonly<Record<string, readonly string[]>> = {
  init: ['dry-run', 'server', 'yes'],
  remove: ['dry-run', 'server'],
  check: ['limit'],
  'styleguide check': ['css', 'json', 'limit', 'min', 'start', 'state', 'tokens'],
  styleguide: ['out', 'state'],
  warm: ['changed', 'limit'],
}

/** A command, with its options and its other arguments (`operands`), not yet checked. */
export type Command = ReturnType<typeof parseCommand>

/**
 * Reads the arguments after `sitewright`.
 *
 * @throws CliError for an unknown command, and for an option that the command does not have.
 * @example parseCommand(['init', '--yes']) // { name: 'init', operands: [], values: { yes: true } }
 */
export function parseCommand(args: readonly string[]) {
  const { values, positionals } = parse(args)
  const [first, ...operands] = positionals
  if (values.version && !values.help) return { name: 'version', operands, values }
  if (values.help || first === undefined) return { name: 'help', operands, values }
  const name = first === 'styleguide' && operands[0] === 'check' ? `${first} ${operands.shift()}` : first
  const allowed = commands[name]
  if (!allowed) throw usageError(`command: expected init, remove, check, styleguide or warm, got '${name}'`)
  const unknown = Object.keys(values).find((option) => !allowed.includes(option))
  if (unknown) throw usageError(`Unknown option '--${unknown}'`)
  return { name, operands, values }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    // The first sentence names the mistake; later sentences explain `--`, which no argument of this command needs.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/)
    throw usageError(sentence)
  }
}

/** Returns the URL of a command that reads a running site. */
export function siteOf({ name, operands: [url, ...rest] }: Command): URL {
  if (rest.length > 0) throw usageError(`${name}: expected one URL, got also '${rest.join(' ')}'`)
  if (url && /^https?:/.test(url) && URL.canParse(url)) return new URL(url)
  const example = `http://localhost:3000${name === 'styleguide' ? '/styleguide' : ''}`
  throw usageError(`${name}: expected a URL such as ${example}, got ${url === undefined ? 'nothing' : `'${url}'`}`)
}

/** Returns the maximum number of pages. */
export function limitOf({ values }: Command, standard = '1000'): number {
  const { limit = standard } = values
  if (/^[1-9]\d{0,6}$/.test(limit)) return Number(limit)
  throw usageError(`limit: expected a number of pages, got '${limit}'`)
}
