import { expect, it } from 'vitest'
import { type Command, limitOf, parseCommand, siteOf } from './arguments.js'

it.each<[string, Pick<Command, 'name' | 'values'> & Partial<Command>]>([
  ['', { name: 'help', values: {} }],
  ['init', { name: 'init', values: {} }],
  ['init -y', { name: 'init', values: { yes: true } }],
  ['--yes init --dry-run', { name: 'init', values: { yes: true, 'dry-run': true } }],
  ['init --server=hono', { name: 'init', values: { server: 'hono' } }],
  ['check --limit 10 https://a.test', { name: 'check', operands: ['https://a.test'], values: { limit: '10' } }],
  ['styleguide check --css a --css b x', { name: 'styleguide check', operands: ['x'], values: { css: ['a', 'b'] } }],
  ['styleguide x --out check', { name: 'styleguide', operands: ['x'], values: { out: 'check' } }],
  ['remove --dry-run', { name: 'remove', values: { 'dry-run': true } }],
  ['init --help', { name: 'help', values: { help: true } }],
  ['-v', { name: 'version', values: { version: true } }],
])('the arguments %j are the command %j', (line, { name, operands = [], values }) => {
  const command = parseCommand(line.split(' ').filter(Boolean))
  expect({ ...command, values: { ...command.values } }).toEqual({ name, operands, values })
})

it.each<[string, string, number]>([
  ['check http://localhost:3000', 'http://localhost:3000/', 1000],
  ['check --limit 10 https://a.test/de', 'https://a.test/de', 10],
])('the arguments %s are the site %s and a limit of %i pages', (line, site, limit) => {
  const command = parseCommand(line.split(' '))
  expect([siteOf(command).href, limitOf(command)]).toEqual([site, limit])
})

it.each([
  ['make', "command: expected init, remove, check, styleguide or warm, got 'make'"],
  ['check a --yes', "Unknown option '--yes'"],
  ['styleguide check --out x', "Unknown option '--out'"],
  ['init --force', "Unknown option '--force'"],
  ['init -x', "Unknown option '-x'"],
  ['init --yes=no', "Option '-y, --yes' does not take an argument"],
  ['init --server', "Option '--server <value>' argument missing"],
])('the arguments %j are an error: %s', (line, message) => {
  expect(() => parseCommand(line.split(' '))).toThrow(
    expect.objectContaining({ name: 'CliError', exitCode: 2, message: `${message}\nTry npx sitewright --help.` }),
  )
})

it.each([
  ['check', 'check: expected a URL such as http://localhost:3000, got nothing'],
  ['check a b', "check: expected one URL, got also 'b'"],
  ['check a:', "check: expected a URL such as http://localhost:3000, got 'a:'"],
  ['styleguide check', 'styleguide check: expected a URL such as http://localhost:3000, got nothing'],
  ['styleguide', 'styleguide: expected a URL such as http://localhost:3000/styleguide, got nothing'],
  ['check http://a.test --limit 0', "limit: expected a number of pages, got '0'"],
])('the arguments %j have no valid site or limit: %s', (line, message) => {
  const command = parseCommand(line.split(' '))
  expect(() => [siteOf(command), limitOf(command)]).toThrow(message)
})
