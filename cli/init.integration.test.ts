import { execFileSync, execSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject, listFiles, run, runWithoutPrivilege } from './testing/project.js'
import { runInTerminal } from './testing/terminal.js'
import { writeFiles } from './write-files.js'

const hono = { 'package.json': { type: 'module', dependencies: { hono: '^4' } }, 'server.js': 'const app = new Hono()' }
const honoFiles = ['environment', 'images', 'index', 'revalidate', 'styleguide'].map((name) => `sitewright/${name}.js`)
const given = ['.gitignore', 'package.json', 'server.js']

/** Returns the command that is told. */
const undoOf = (stdout: string) => /^Undo:\n([\s\S]*?)\n\n/m.exec(stdout)?.[1] as string

describe('the command line', () => {
  it.each([['--help'], ['init', '-h'], []])('%s %s shows the help', (...line) => {
    const { code, stdout } = run(createProject({}), line)
    expect(stdout).toContain('Usage: npx sitewright init [options]')
    expect(code).toBe(0)
  })

  it('--version is that of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(run(createProject({}), ['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('an unknown option is wrong usage', () => {
    const { code, stdout, stderr } = run(createProject(hono), ['init', '--force'])
    expect([code, stdout, stderr]).toEqual([2, '', "Error: Unknown option '--force'\nTry npx sitewright --help.\n"])
  })
})

describe('writes', () => {
  it('the files, and the command that is told removes them', () => {
    const folder = createProject(hono)
    const { code, stdout, stderr } = run(folder, ['init', '--yes'])
    expect([code, stderr]).toEqual([0, ''])
    expect(listFiles(folder)).toEqual(['.env.example', ...given, ...honoFiles].sort())
    execSync(undoOf(stdout), { cwd: folder, stdio: 'ignore' })
    expect(listFiles(folder)).toEqual(given)
    expect(readdirSync(folder)).not.toContain('sitewright')
  })

  it.each([true, false])(
    'paths of Next.js, which are removed without what has come beside them; with git: %s',
    (git) => {
      const folder = createProject({ 'package.json': { dependencies: { next: '16' } } }, { git })
      const { stdout } = run(folder, ['init', '--yes'])
      expect(listFiles(folder)).toContain('app/%5Fimage/[[...source]]/route.js')
      expect(listFiles(folder)).toContain('app/styleguide/[[...slug]]/page.js')
      writeFileSync(join(folder, 'app/api/mine.js'), '')
      writeFileSync(join(folder, 'app/page.js'), '')
      // It fails at the folders that are not empty, and goes on.
      spawnSync('sh', ['-c', undoOf(stdout)], { cwd: folder })
      expect(listFiles(folder)).toEqual(['.gitignore', 'app/api/mine.js', 'app/page.js', 'package.json'])
      expect(readdirSync(join(folder, 'app'))).toEqual(['api', 'page.js'])
    },
  )

  it('nothing with --dry-run, and says what it would', () => {
    const folder = createProject(hono)
    const { code, stdout } = run(folder, ['init', '--dry-run', '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain('Would write:\n  + sitewright/environment.js')
    expect(listFiles(folder)).toEqual(given)
  })

  it('nothing the second time', () => {
    const folder = createProject(hono)
    run(folder, ['init', '--yes'])
    const { code, stdout } = run(folder, ['init'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing to write: every file is there.')])
  })

  it('what is missing of a set, and leaves the rest alone', () => {
    const folder = createProject({ ...hono, 'sitewright/images.ts': 'mine', '.env.example': 'MINE=1' })
    const { code, stdout } = run(folder, ['init', '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain('Left as they are, since they are there:\n  · sitewright/images.ts\n  · .env.example\n')
    expect(readFileSync(join(folder, 'sitewright/images.ts'), 'utf8')).toBe('mine')
    expect(readFileSync(join(folder, '.env.example'), 'utf8')).toBe('MINE=1')
    expect(listFiles(folder)).not.toContain('sitewright/images.js')
    expect(listFiles(folder)).toContain('sitewright/index.js')
  })

  it('not through a link, even to nothing', () => {
    const folder = createProject(hono)
    symlinkSync('/nowhere/at/all', join(folder, '.env.example'))
    expect(run(folder, ['init', '--yes']).stdout).toContain('  · .env.example\n')
  })

  it('not over a folder of the same name', () => {
    const folder = createProject({ ...hono, 'sitewright/index.js/a.txt': '' })
    expect(run(folder, ['init', '--yes']).stdout).toContain('  · sitewright/index.js\n')
  })

  it('with the prefix and folder of the pictures that are there', () => {
    const folder = createProject({ ...hono, 'public/images/cat.jpg': '' })
    run(folder, ['init', '--yes'])
    const text = readFileSync(join(folder, 'sitewright/images.js'), 'utf8')
    expect(text).toContain("sources: { '/images/': './public/images' }")
  })
})

describe('warns', () => {
  const dirty = 'The git tree has uncommitted changes'
  it.each<[string, (folder: string) => void]>([
    ['of a changed file', (folder) => writeFileSync(join(folder, 'server.js'), 'new Hono() // changed')],
    ['of a new file', (folder) => writeFileSync(join(folder, 'other.js'), '')],
  ])('%s', (_, change) => {
    const folder = createProject(hono)
    expect(run(folder, ['init', '--dry-run']).stdout).not.toContain(dirty)
    change(folder)
    expect(run(folder, ['init', '--yes']).stdout).toContain(dirty)
  })

  it('where there is no repository, and names what to remove', () => {
    const folder = createProject(hono, { git: false })
    const { code, stdout } = run(folder, ['init', '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain('This is no git repository: git cannot undo what is written.')
    expect(stdout).toContain('Undo:\n     rm -d sitewright/environment.js ')
  })

  it('where there is no git', () => {
    const folder = createProject(hono)
    const { code, stdout } = run(folder, ['init', '--yes'], { PATH: '/nowhere' })
    expect([code, stdout]).toEqual([0, expect.stringContaining('This is no git repository')])
  })
})

describe('fails, and writes nothing,', () => {
  it.each<[string, Record<string, string | object>, string[], string]>([
    ['without package.json', { 'server.js': '' }, [], 'No package.json in '],
    ['with a package.json that is no JSON', { 'package.json': '{ "name": ' }, [], 'package.json is not valid JSON: '],
    ['with a package.json that is no object', { 'package.json': '[]' }, [], 'package.json: expected a JSON object'],
    ['with a package.json that is a folder', { 'package.json/a.txt': '' }, [], 'package.json could not be read: '],
    [
      'with a package.json of odd values',
      { 'package.json': { dependencies: 3, scripts: null } },
      [],
      'names no server',
    ],
    [
      'with two servers',
      { 'package.json': { dependencies: { hono: '4', express: '5' } } },
      [],
      'package.json names hono and express: choose one with --server hono|express.',
    ],
    [
      'on Workers',
      { 'package.json': { dependencies: { hono: '4' }, devDependencies: { wrangler: '4' } } },
      [],
      'Cloudflare Workers have neither sharp nor folders',
    ],
    ['with a file where a folder is needed', { ...hono, sitewright: '' }, [], 'sitewright is not a folder'],
    [
      'with a file where a folder of Next.js is needed',
      { 'package.json': { dependencies: { next: '16' } }, 'app/api': '' },
      [],
      'app/api is not a folder, but app/api/revalidate/route.js belongs into it.',
    ],
  ])('%s', (_, files, more, message) => {
    const folder = createProject(files)
    const before = listFiles(folder)
    const { code, stderr } = run(folder, ['init', '--yes', ...more])
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
    expect(stderr).not.toMatch(/ at .*\.js:\d/)
    expect(listFiles(folder)).toEqual(before)
  })

  it('without a terminal and --yes', () => {
    const folder = createProject(hono)
    const { code, stderr } = run(folder, ['init'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('repeat with --yes to write, or --dry-run')])
    expect(listFiles(folder)).toEqual(given)
  })

  it('in a folder that is read-only', () => {
    const folder = createProject(hono)
    chmodSync(folder, 0o555)
    const { code, stderr } = runWithoutPrivilege(folder, ['init', '--yes'])
    chmodSync(folder, 0o755)
    expect(stderr).toBe(
      `Error: sitewright/environment.js could not be written, so nothing was: EACCES: permission denied, mkdir '${folder}/sitewright'\n`,
    )
    expect(code).toBe(1)
    expect(listFiles(folder)).toEqual(given)
  })

  it('when a file in the middle cannot be written', () => {
    const folder = createProject(hono)
    const file = (path: string) => ({ path, text: 'text', purpose: '' })
    // Names of at most 255 bytes: an error that root gets as well.
    const files = [file('a/b/one.js'), file('two.js'), file(`a/${'x'.repeat(300)}.js`), file('three.js')]
    expect(() => writeFiles(folder, files)).toThrow(/^a\/x+\.js could not be written, so nothing was: ENAMETOOLONG/)
    expect(listFiles(folder)).toEqual(given)
    expect(existsSync(join(folder, 'a'))).toBe(false)
  })

  it('when a file has come in between', () => {
    const folder = createProject(hono)
    mkdirSync(join(folder, 'a'))
    writeFileSync(join(folder, 'a/two.js'), 'mine')
    const file = (path: string) => ({ path, text: 'text', purpose: '' })
    expect(() => writeFiles(folder, [file('a/one.js'), file('a/two.js')])).toThrow('EEXIST')
    expect(listFiles(folder)).toEqual(['a/two.js', ...given].sort())
    expect(readFileSync(join(folder, 'a/two.js'), 'utf8')).toBe('mine')
  })

  it('not when a signal comes in between: all are written', () => {
    const folder = createProject(hono)
    const script = `
      import { writeFiles } from '${new URL('../dist/cli/write-files.js', import.meta.url)}'
      const one = { path: 'one.js', get text() { process.kill(process.pid, 'SIGINT'); return 'text' } }
      writeFiles('.', [one, { path: 'two.js', text: 'text' }])`
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder })
    expect(listFiles(folder)).toEqual(['one.js', 'two.js', ...given].sort())
  })
})

describe('--server', () => {
  it.each([
    [{ hono: '4', express: '5' }, 'express', 'expressMiddleware'],
    [{}, 'hono', 'honoMiddleware'],
    [{ hono: '4', wrangler: '4' }, 'hono', 'honoMiddleware'],
  ])('with %j chooses %s', (dependencies, server, middleware) => {
    const folder = createProject({ 'package.json': { type: 'module', dependencies } })
    expect(run(folder, ['init', '--yes', '--server', server]).code).toBe(0)
    expect(readFileSync(join(folder, 'sitewright/index.js'), 'utf8')).toContain(middleware)
  })
})

// Colors and the like (SGR), and not where the cursor goes.
const styles = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`)

describe('in a terminal', () => {
  it('asks, and writes after Enter', async () => {
    const folder = createProject(hono)
    const { code, output } = await runInTerminal(folder, ['init'], '\r')
    expect(output).toContain('Write 6 files?')
    expect(output).toMatch(styles)
    expect(output).toMatch(/Write 6 files\?\r\n.*Yes.*\r\n.*Wrote 6 files\./)
    expect(code).toBe(0)
    expect(listFiles(folder)).toEqual(['.env.example', ...given, ...honoFiles].sort())
  })

  it('writes nothing after n', async () => {
    const folder = createProject(hono)
    const { code, output } = await runInTerminal(folder, ['init'], 'n')
    expect([code, output]).toEqual([1, expect.stringContaining('Nothing was written.')])
    expect(listFiles(folder)).toEqual(given)
  })

  it('writes nothing after Enter where git cannot undo it', async () => {
    const folder = createProject(hono, { git: false })
    expect((await runInTerminal(folder, ['init'], '\r')).code).toBe(1)
    expect(listFiles(folder)).toEqual(given)
  })

  it.each([
    ['Ctrl-C', '\x03'],
    ['Escape', '\x1b'],
  ])('writes nothing after %s', async (_, key) => {
    const folder = createProject(hono)
    const { code, output } = await runInTerminal(folder, ['init'], key)
    expect([code, output]).toEqual([130, expect.stringContaining('Interrupted; nothing was written.')])
    expect(listFiles(folder)).toEqual(given)
  })

  it('asks which server it is', async () => {
    const folder = createProject({ 'package.json': { dependencies: { hono: '4', express: '5' } } })
    const { code, output } = await runInTerminal(folder, ['init', '--yes'], '\x1b[B\r')
    expect(output).toContain('Which server is it?')
    expect(code).toBe(0)
    expect(readFileSync(join(folder, 'sitewright/index.mjs'), 'utf8')).toContain('expressMiddleware')
  })

  it('has no colors with NO_COLOR', async () => {
    const { output } = await runInTerminal(createProject(hono), ['init'], '\r', { NO_COLOR: '1' })
    expect(output).toContain('Wrote 6 files.')
    expect(output).not.toMatch(styles)
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

describe('the output', () => {
  const projects = [
    hono,
    { 'package.json': { type: 'commonjs', dependencies: { express: '5' } } },
    { 'package.json': { dependencies: { next: '16' } }, 'tsconfig.json': '{}' },
  ]
  it.each([...projects, { 'package.json': { devDependencies: { vite: '8' } }, 'server.js': 'createServer()' }])(
    'has no colors and fits into 80 columns: %j',
    (files) => {
      const { stdout } = run(createProject(files, { git: false }), ['init', '--yes'])
      expect(stdout).not.toMatch(styles)
      // Lines that cannot be broken: code of one statement.
      const lines = stdout
        .split('\n')
        .filter((line) => !/^ {5} *(?:createServer|configurePreviewServer|images: )/.test(line))
      expect(lines.filter((line) => line.length > 80)).toEqual([])
    },
  )

  it('has no colors with NO_COLOR', () => {
    expect(run(createProject(hono), ['init', '--yes'], { NO_COLOR: '1' }).stdout).not.toMatch(styles)
  })
})
