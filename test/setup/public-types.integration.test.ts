import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

const script = resolve('test/setup/public-types.js')
const folder = mkdtempSync(join(tmpdir(), 'public-types-'))
const types = {
  index: `import type { GreetOptions } from './options.js'\n/** A comment. */\nexport declare function greet(options: GreetOptions): void\nexport type { GreetOptions } from './options.js'\n`,
  options: `import type { Name } from './name.js'\nexport interface GreetOptions {\n  name: Name\n  loud?: boolean\n}\n`,
  name: `export type Name = string\n`,
}

describe('the comparison of the public types with the last release’s', () => {
  beforeAll(() => {
    for (const path of ['dist', 'test/setup']) mkdirSync(join(folder, path), { recursive: true })
    write('package.json', JSON.stringify({ name: 'greeting', version: '0.2.0', exports: { '.': './dist/index.js' } }))
    expect(run({}, '', '--write')).toEqual({ status: 0, errors: '' })
    expect(readFileSync(join(folder, 'test/setup/public-types.txt'), 'utf8')).toContain('type Name = string;')
  }, 60_000)

  test('a changed comment is no difference', () => {
    expect(run({ index: types.index.replace('comment', 'remark') }, '- Faster.')).toEqual({ status: 0, errors: '' })
  }, 60_000)

  test('each difference needs its line', () => {
    const index = `${types.index}export declare const leave: () => void\n`.replace(/export type.*/, '')
    const options = types.options.replace('\n}', '\n  shy: boolean\n}')
    const changed = { index, options, name: 'export type Name = string[]\n' }
    const { status, errors } = run(changed, '- Other things, such as to leave.')
    expect(status).toBe(1)
    expect(errors).toMatch(/^greeting: GreetOptions was removed\ngreeting: leave was added\n/)
    expect(errors).toContain('\nGreetOptions (of greet) differs:\n      shy: boolean;\n')
    expect(errors).toContain('\nName (of greet) differs:\n  type Name = string;\n  type Name = string[];\n')

    const told = '- New: `leave`; `greet` takes several names and `shy: true`; `GreetOptions` is private.'
    expect(run(changed, told)).toEqual({ status: 0, errors: '' })
  }, 60_000)

  test('the types are stored for a release only', () => {
    expect(run({}, '- Other things.', '--write')).toEqual({
      status: 1,
      errors: expect.stringContaining('expected an empty "Unreleased"'),
    })
  }, 60_000)
})

function run(changed: Partial<typeof types>, unreleased: string, ...options: string[]) {
  for (const [name, text] of Object.entries({ ...types, ...changed })) write(`dist/${name}.d.ts`, text)
  write('CHANGELOG.md', `# Changelog\n\n## [Unreleased]\n\n${unreleased}\n\n## [0.2.0]\n\nThe first version.\n`)
  const { status, stderr } = spawnSync(process.execPath, [script, ...options], { cwd: folder, encoding: 'utf8' })
  return { status, errors: stderr }
}

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text)
}
