import { expect, it } from 'vitest'
import { type Command, parseCommand } from './arguments.js'

const init = { name: 'init', yes: false, dryRun: false, server: undefined } as const

it.each<[string, Command]>([
  ['', { name: 'help' }],
  ['init', init],
  ['init -y', { ...init, yes: true }],
  ['--yes init --dry-run', { ...init, yes: true, dryRun: true }],
  ['init --server=hono', { ...init, server: 'hono' }],
  ['check http://localhost:3000', { name: 'check', url: 'http://localhost:3000', limit: 1000 }],
  ['check --limit 10 https://a.test', { name: 'check', url: 'https://a.test', limit: 10 }],
  ['init --help', { name: 'help' }],
  ['-v', { name: 'version' }],
])('%j is %j', (line, command) => {
  expect(parseCommand(line.split(' ').filter(Boolean))).toEqual(command)
})

it.each([
  ['make', "command: expected init, check or styleguide, got 'make'"],
  ['check', 'check: expected a URL such as http://localhost:3000, got nothing'],
  ['check a b', "check: expected one URL, got also 'b'"],
  ['check a --limit 0', "limit: expected a number of pages, got '0'"],
  ['init here', "init: expected no further arguments, got 'here'"],
  ['init --force', "Unknown option '--force'"],
  ['init -x', "Unknown option '-x'"],
  ['init --yes=no', "Option '-y, --yes' does not take an argument"],
  ['init --server', "Option '--server <value>' argument missing"],
])('%j is an error: %s', (line, message) => {
  expect(() => parseCommand(line.split(' '))).toThrow(
    expect.objectContaining({ name: 'CliError', exitCode: 2, message: `${message}\nTry npx sitewright --help.` }),
  )
})
