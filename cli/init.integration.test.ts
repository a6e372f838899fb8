import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planFiles, writeFiles } from './files.js'
import { cliPath, createProject, listFiles, run, runWithoutPrivilege } from './testing/project.js'
import { runInTerminal } from './testing/terminal.js'

const hono = { 'package.json': { type: 'module', dependencies: { hono: '^4' } }, 'server.js': 'const app = new Hono()' }
const honoFiles = ['environment', 'images', 'index', 'revalidate', 'styleguide'].map(
  (name) => `sitewright-setup/${name}.js`,
)
const existingFiles = ['package.json', 'server.js']

describe('the command line', () => {
  it.each([['--help'], ['init', '-h'], []])('the arguments %s %s show the help', (...line) => {
    const { code, stdout } = run(createProject({}), line)
    expect(stdout).toContain('Usage: npx sitewright init [options]')
    expect(code).toBe(0)
  })

  it('--version prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(run(createProject({}), ['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('a further argument of init is an error', () => {
    const { code, stderr } = run(createProject(hono), ['init', 'here'])
    expect([code, stderr]).toEqual([
      2,
      "Error: init: expected no further arguments, got 'here'\nTry npx sitewright --help.\n",
    ])
  })

  it('an unknown option of init is an error', () => {
    const { code, stdout, stderr } = run(createProject(hono), ['init', '--force'])
    expect([code, stdout, stderr]).toEqual([2, '', "Error: Unknown option '--force'\nTry npx sitewright --help.\n"])
  })
})

describe('the written files', () => {
  it('init writes the files of a project', () => {
    const folder = createProject(hono)
    const { code, stdout, stderr } = run(folder, ['init', '--yes'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Wrote 6 files.')
    expect(listFiles(folder)).toEqual(['.env.example', ...existingFiles, ...honoFiles].sort())
  })

  it('init writes the routes of Next.js', () => {
    const folder = createProject({ 'package.json': { dependencies: { next: '16' } } })
    run(folder, ['init', '--yes'])
    expect(listFiles(folder)).toContain('app/%5Fimage/[[...source]]/route.js')
    expect(listFiles(folder)).toContain('app/styleguide/[[...slug]]/page.js')
  })

  it.each(['init --yes | true', 'init --yes | head -n 1', '--help | true'])(
    'the command writes all files although its output is closed early: %s',
    (line) => {
      const folder = createProject(hono)
      const script = `set -o pipefail; '${process.execPath}' '${cliPath}' ${line}`
      const { status, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
      expect(listFiles(folder)).toEqual(
        line.startsWith('init') ? ['.env.example', ...existingFiles, ...honoFiles].sort() : existingFiles,
      )
    },
  )

  it('--dry-run writes no file, and prints the files to write', () => {
    const folder = createProject(hono)
    const { code, stdout } = run(folder, ['init', '--dry-run', '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain('Would write:\n  + sitewright-setup/environment.js')
    expect(listFiles(folder)).toEqual(existingFiles)
  })

  it('a second run writes no file', () => {
    const folder = createProject(hono)
    run(folder, ['init', '--yes'])
    const { code, stdout } = run(folder, ['init'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing to write: every file exists.')])
  })

  it('init writes missing files, and leaves existing files unchanged', () => {
    const folder = createProject({ ...hono, 'sitewright-setup/images.ts': 'mine', '.env.example': 'MINE=1' })
    const { code, stdout } = run(folder, ['init', '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain('These exist, and stay as they are:\n  · sitewright-setup/images.ts\n  · .env.example\n')
    expect(readFileSync(join(folder, 'sitewright-setup/images.ts'), 'utf8')).toBe('mine')
    expect(readFileSync(join(folder, '.env.example'), 'utf8')).toBe('MINE=1')
    expect(listFiles(folder)).not.toContain('sitewright-setup/images.js')
    expect(listFiles(folder)).toContain('sitewright-setup/index.js')
  })

  it('init does not write through a link, even a broken link', () => {
    const folder = createProject(hono)
    symlinkSync('/nowhere/at/all', join(folder, '.env.example'))
    expect(run(folder, ['init', '--yes']).stdout).toContain('  · .env.example\n')
  })

  it('init does not write through a link in place of its temporary file, and leaves the link', () => {
    const folder = createProject({ ...hono, 'victim.txt': 'mine' })
    const names = ['.sitewright-init', '.sitewright-unfinished']
    for (const name of names) symlinkSync('victim.txt', join(folder, name))
    const { code, stderr } = run(folder, ['init', '--yes'])
    expect(readFileSync(join(folder, 'victim.txt'), 'utf8')).toBe('mine')
    expect(listFiles(folder)).toEqual(expect.arrayContaining(names))
    expect([code, stderr]).toEqual([1, expect.stringContaining('.env.example: EEXIST: file already exists, open ')])
  })

  it('init does not write over a folder of the same name', () => {
    const folder = createProject({ ...hono, 'sitewright-setup/index.js/a.txt': '' })
    expect(run(folder, ['init', '--yes']).stdout).toContain('  · sitewright-setup/index.js\n')
  })

  it('the written files use the folder of existing pictures', () => {
    const folder = createProject({ ...hono, 'public/images/cat.jpg': '' })
    run(folder, ['init', '--yes'])
    const text = readFileSync(join(folder, 'sitewright-setup/images.js'), 'utf8')
    expect(text).toContain("sources: { '/images/': './public/images' }")
  })
})

describe('failures', () => {
  it.each<[string, Record<string, string | object>, string]>([
    ['without package.json', { 'server.js': '' }, 'No package.json in '],
    ['with a package.json that is not JSON', { 'package.json': '{ "name": ' }, 'package.json: '],
    ['with a package.json that is not an object', { 'package.json': '[]', 'app.js': '' }, 'names no server'],
    ['with a package.json that is a folder', { 'package.json/a.txt': '' }, 'package.json: EISDIR'],
    [
      'with a package.json of odd values',
      { 'package.json': { dependencies: 3, scripts: null }, 'app.js': '' },
      'names no server',
    ],
    [
      'with two servers',
      { 'package.json': { dependencies: { hono: '4', express: '5' } } },
      'package.json names hono and express: choose one with --server hono|express.',
    ],
    [
      'on Workers',
      { 'package.json': { dependencies: { hono: '4' }, devDependencies: { wrangler: '4' } } },
      'Cloudflare Workers have neither sharp nor folders',
    ],
    ['with a file where a folder is needed', { ...hono, 'sitewright-setup': '' }, 'ENOTDIR: not a directory'],
  ])('init fails and writes no file %s', (_, files, message) => {
    const folder = createProject(files)
    const before = listFiles(folder)
    const { code, stderr } = run(folder, ['init', '--yes'])
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    expect(stderr).not.toMatch(/ at .*\.js:\d/)
    expect(listFiles(folder)).toEqual(before)
  })

  it('init fails without a terminal and --yes', () => {
    const folder = createProject(hono)
    const { code, stderr } = run(folder, ['init'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('repeat with --yes to write, or with --dry-run')])
    expect(listFiles(folder)).toEqual(existingFiles)
  })

  it('init fails in a read-only folder', () => {
    const folder = createProject(hono)
    chmodSync(folder, 0o555)
    const { code, stderr } = runWithoutPrivilege(folder, ['init', '--yes'])
    chmodSync(folder, 0o755)
    expect([code, stderr]).toEqual([
      1,
      `Error: sitewright-setup/environment.js: EACCES: permission denied, mkdir '${folder}/sitewright-setup'\n` +
        'Nothing was written; run it again to write the missing ones.\n',
    ])
    expect(listFiles(folder)).toEqual(existingFiles)
  })
})

describe('a file that cannot be written', () => {
  const file = (path: string) => ({ path, text: 'text', purpose: '' })

  it('a file that cannot be written is named, and the written files stay', () => {
    const folder = createProject(hono)
    // A name of more than 255 bytes is an error for root, too.
    const files = [file('a/b/one.js'), file('two.js'), file(`a/${'x'.repeat(300)}.js`), file('three.js')]
    expect(() => writeFiles(folder, files)).toThrow(
      /^a\/x+\.js: ENAMETOOLONG[\s\S]*2 of 4 files were written; run it again/,
    )
    expect(listFiles(folder)).toEqual(['a/b/one.js', 'two.js', ...existingFiles].sort())
    expect(planFiles(folder, files.slice(0, 2)).missing).toEqual([])
  })

  it('a file that another process has created stays', () => {
    const folder = createProject({ ...hono, 'a/two.js': 'mine' })
    expect(() => writeFiles(folder, [file('a/two.js')])).toThrow('a/two.js: EEXIST')
    expect(readFileSync(join(folder, 'a/two.js'), 'utf8')).toBe('mine')
  })
})

describe('--server', () => {
  it('an unknown value of --server is an error', () => {
    const { code, stderr } = run(createProject(hono), ['init', '--server', 'koa'])
    const message = "--server: expected one of next, hono, express, vite, got 'koa'"
    expect([code, stderr]).toEqual([2, `Error: ${message}\nTry npx sitewright --help.\n`])
  })

  it.each([
    [{ hono: '4', express: '5' }, 'express', 'expressMiddleware'],
    [{}, 'hono', 'honoMiddleware'],
    [{ hono: '4', wrangler: '4' }, 'hono', 'honoMiddleware'],
  ])('for the dependencies %j, --server chooses %s', (dependencies, server, middleware) => {
    const folder = createProject({ 'package.json': { type: 'module', dependencies } })
    expect(run(folder, ['init', '--yes', '--server', server]).code).toBe(0)
    expect(readFileSync(join(folder, 'sitewright-setup/index.js'), 'utf8')).toContain(middleware)
  })
})

describe('in a terminal', () => {
  it.each(['\r', 'y\r', 'Yes\r'])('in a terminal, init writes after the answer %j', async (answer) => {
    const folder = createProject(hono)
    const { code, output } = await runInTerminal(folder, ['init'], answer)
    expect(output).toMatch(/Write 6 files\? \[Y\/n\] [\s\S]*Wrote 6 files\./)
    expect(code).toBe(0)
    expect(listFiles(folder)).toEqual(['.env.example', ...existingFiles, ...honoFiles].sort())
  })

  it.each(['n\r', 'what?\r'])('in a terminal, init writes no file after the answer %j', async (answer) => {
    const folder = createProject(hono)
    const { code, output } = await runInTerminal(folder, ['init'], answer)
    expect([code, output]).toEqual([1, expect.stringContaining('Nothing was written.')])
    expect(listFiles(folder)).toEqual(existingFiles)
  })

  it.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('in a terminal, init writes no file after %s', async (_, key) => {
    const folder = createProject(hono)
    const { code, output } = await runInTerminal(folder, ['init'], key)
    expect([code, output]).toEqual([130, expect.stringContaining('Interrupted; nothing was written.')])
    expect(listFiles(folder)).toEqual(existingFiles)
  })
})

it('undici is installed in the same form as in the documentation', () => {
  const pages = ['docs', 'docs/start', 'adapters/next', '.'].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? readFileSync(join(folder, name), 'utf8') : [])),
  )
  const lines = pages.flatMap((text) => text.match(/^npm install .*\bundici\b.*$/gm) ?? [])
  lines.push(...(run(createProject(hono), ['init', '--dry-run']).stdout.match(/npm install .*/g) ?? []))
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !line.includes(' undici@7'))).toEqual([])
})

it.each([
  hono,
  { 'package.json': { type: 'commonjs', dependencies: { express: '5' } } },
  { 'package.json': { dependencies: { next: '16' } }, 'tsconfig.json': '{}' },
  { 'package.json': { devDependencies: { vite: '8' } } },
])('the output fits into 80 columns: %j', (files) => {
  const { stdout } = run(createProject(files), ['init', '--yes'])
  // Excludes statements that cannot be broken.
  const lines = stdout.split('\n').filter((line) => !/^ {5} *(?:createServer|configurePreviewServer)/.test(line))
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})
