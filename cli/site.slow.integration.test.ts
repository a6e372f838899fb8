import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  cliPath,
  createProject,
  type Files,
  listFiles,
  root,
  run,
  runWithoutPrivilege,
  writeProject,
} from './testing/project.js'
import { stepLines } from './testing/server.js'
import { runInTerminal } from './testing/terminal.js'

const site = [
  '.env',
  '.gitignore',
  'media/black-canyon.jpg',
  'package.json',
  'server.ts',
  'site.css',
  'site.tsx',
  'tsconfig.json',
]
const isSite = (stdout: string) => stdout.startsWith('sitewright init: the smallest complete site, Hono, TypeScript, ')
const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Creates an empty folder, without the link to packages that a project has. */
function emptyFolder(files: Files = {}): string {
  const folder = createProject({})
  rmSync(join(folder, 'node_modules'))
  writeProject(folder, files)
  return folder
}

describe('an empty folder gets the smallest complete site', () => {
  it.each<[string, Files]>([
    ['without files', {}],
    ['with a new repository', { '.git/HEAD': '', 'README.md': '', LICENSE: '' }],
    ['with the package.json of `npm init`', { 'package.json': { name: 'mine', type: 'commonjs' } }],
    [
      'with packages',
      { 'package.json': { dependencies: { sitewright: '*' } }, 'yarn.lock': '', 'node_modules/a/b': '' },
    ],
    ['with an empty package.json', { 'package.json': '{}' }],
    ['with pictures', { 'media/mine.jpg': 'mine' }],
  ])('init writes a site into a folder %s', (_, files) => {
    const folder = emptyFolder(files)
    const { code, stdout, stderr } = run(folder, ['init', '--yes'])
    expect([code, stderr, isSite(stdout)]).toEqual([0, '', true])
    expect(listFiles(folder)).toEqual(expect.arrayContaining(site))
    expect(readManifest(folder)).toMatchObject({ type: 'module', scripts: { start: 'tsx server.ts' } })
  })

  it('in a terminal, init asks before it writes a site', async () => {
    const folder = emptyFolder()
    const { code, output } = await runInTerminal(folder, ['init'], '\r')
    expect([code, output]).toEqual([0, expect.stringContaining('Write 8 files? [Y/n]')])
    expect(listFiles(folder)).toEqual(site)
  })

  it.each<[string, string[], string]>([
    ['without a terminal and --yes', ['init'], 'There is no terminal to ask in'],
    ['with --server', ['init', '--yes', '--server', 'hono'], 'No package.json'],
  ])('init does not write a site %s', (_, args, message) => {
    const folder = emptyFolder()
    const { code, stderr } = run(folder, args)
    expect([code, stderr, listFiles(folder)]).toEqual([1, expect.stringContaining(message), []])
  })

  it.each<[string, Files, number]>([
    ['a source file', { 'index.html': '' }, 1],
    ['a source file and a package.json', { 'package.json': {}, 'app.js': '' }, 1],
    ['a server in package.json', { 'package.json': { dependencies: { hono: '4' } } }, 0],
  ])('init does not write a site into a folder with %s', (_, files, code) => {
    const folder = emptyFolder(files)
    const result = run(folder, ['init', '--yes'])
    expect([result.code, isSite(result.stdout)]).toEqual([code, false])
    expect(listFiles(folder)).not.toContain('site.tsx')
  })

  it('the secret of a new site is random, and git ignores it', () => {
    const folders = [emptyFolder(), emptyFolder()]
    const secrets = folders.map((folder) => {
      run(folder, ['init', '--yes'])
      return /^REVALIDATE_SECRET=([\w-]{32})$/m.exec(readFileSync(join(folder, '.env'), 'utf8'))?.[1]
    })
    expect(secrets[0]).toBeDefined()
    expect(secrets[0]).not.toBe(secrets[1])
    execFileSync('git', ['init', '--quiet'], { cwd: folders[0] })
    expect(execFileSync('git', ['status', '--short', '-uall'], { cwd: folders[0], encoding: 'utf8' })).not.toContain(
      '.env',
    )
  })
})

describe('package.json', () => {
  it('package.json keeps all fields except "type": "commonjs"', () => {
    const manifest = {
      name: 'mine',
      type: 'commonjs',
      license: 'MIT',
      scripts: { dev: 'mine', test: 'exit 1' },
      dependencies: { sharp: '0.34.0' },
    }
    const folder = emptyFolder({ 'package.json': manifest })
    expect(run(folder, ['init', '--yes']).stdout).toContain('  ~ package.json')
    const { type, scripts, dependencies, ...rest } = readManifest(folder)
    expect([type, rest]).toEqual(['module', expect.objectContaining({ name: 'mine', license: 'MIT' })])
    expect(scripts).toMatchObject({ ...manifest.scripts, start: 'tsx server.ts' })
    expect(dependencies).toMatchObject({ sharp: '0.34.0', hono: '^4', sitewright: expect.stringMatching(/^\^\d/) })
  })

  it('the dependencies of a new site are within the peer dependencies of sitewright', () => {
    const folder = emptyFolder()
    run(folder, ['init', '--yes'])
    const { dependencies } = readManifest(folder)
    const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const [name, range] of Object.entries<string>(peerDependencies)) {
      if (dependencies[name]) expect(range.split(' || ')).toContain(dependencies[name])
    }
  })
})

describe('bad input', () => {
  it('a second run writes no file, also after `npm install`', () => {
    const folder = emptyFolder()
    run(folder, ['init', '--yes'])
    writeProject(folder, { 'about.tsx': 'mine', 'package-lock.json': '{}', 'node_modules/hono/package.json': '{}' })
    const before = site.map((path) => readFileSync(join(folder, path), 'utf8'))
    const { code, stdout } = run(folder, ['init', '--yes'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing to write: every file exists.')])
    expect(site.map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual(before)
  })

  it('existing files of the site’s names are kept', () => {
    const folder = emptyFolder({ 'tsconfig.json': '{ "mine": 1 }', '.env': 'MINE=1', '.gitignore': 'mine' })
    const { stdout } = run(folder, ['init', '--yes'])
    expect(stepLines(stdout, 'In .gitignore')).toEqual(['.env'])
    expect(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).toBe('{ "mine": 1 }')
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('MINE=1')
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('mine')
  })

  it.each(site.map((_, index) => index))(
    'if init is killed while it writes file %i, no file is incomplete, and the next run writes the rest',
    (at) => {
      const folder = emptyFolder()
      // The operating system ends the process in the middle of the write.
      const preload = `
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const write = fs.writeFileSync
      let count = 0
      fs.writeFileSync = (path, text, ...rest) => {
        if (count++ < ${at}) return write(path, text, ...rest)
        write(path, text.slice(0, text.length / 2))
        process.kill(process.pid, 'SIGKILL')
      }
      syncBuiltinESMExports()`
      const args = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, cliPath, 'init', '--yes']
      expect(spawnSync(process.execPath, args, { cwd: folder }).signal).toBe('SIGKILL')
      const before = new Map(
        listFiles(folder)
          .filter((path) => site.includes(path))
          .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
      )
      expect(before.size).toBe(at)
      const { code, stdout } = run(folder, ['init', '--yes'])
      expect([code, isSite(stdout)]).toEqual([0, true])
      expect(listFiles(folder)).toEqual(site)
      for (const [path, text] of before) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
      expect(statSync(join(folder, 'media/black-canyon.jpg')).size).toBe(
        statSync(join(root, 'docs/snippets/media/black-canyon.jpg')).size,
      )
    },
  )

  it('a read-only folder is an error', () => {
    const folder = emptyFolder()
    chmodSync(folder, 0o555)
    const { code, stderr } = runWithoutPrivilege(folder, ['init', '--yes'])
    chmodSync(folder, 0o755)
    const message = expect.stringMatching(/^Error: site\.tsx: EACCES: .*\nNothing was written; run it again/)
    expect([code, stderr, listFiles(folder)]).toEqual([1, message, []])
  })

  it('a file in place of the folder of pictures is an error', () => {
    const folder = emptyFolder({ media: 'mine' })
    const { code, stderr } = run(folder, ['init', '--yes'])
    expect([code, stderr, listFiles(folder)]).toEqual([1, expect.stringContaining('ENOTDIR: '), ['media']])
    expect(stderr).not.toMatch(/ at .*\.js:\d/)
    expect(readFileSync(join(folder, 'media'), 'utf8')).toBe('mine')
  })

  it('uncommitted changes stay, and no file is staged', () => {
    const folder = emptyFolder({ 'README.md': 'first' })
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
    git('init', '--quiet')
    git('add', '.')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'first')
    writeProject(folder, { 'README.md': 'second' })
    expect(run(folder, ['init', '--yes']).code).toBe(0)
    const [changed, ...untracked] = git('status', '--short').split('\n').filter(Boolean)
    expect(changed).toBe(' M README.md')
    expect(untracked.every((line) => line.startsWith('?? '))).toBe(true)
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('second')
  })

  it.each([
    ['pnpm', { 'pnpm-lock.yaml': '', 'package.json': {} }],
    ['yarn', { 'package.json': { packageManager: 'yarn@4.9.1' }, 'yarn.lock': '' }],
  ])("a new site in a monorepo uses the monorepo's package manager, %s", (manager, files) => {
    const monorepo = emptyFolder({ '.git/HEAD': '', ...files })
    const folder = join(monorepo, 'sites/new')
    mkdirSync(folder, { recursive: true })
    const { stdout } = run(folder, ['init', '--yes'])
    expect(stepLines(stdout, 'Install and run')).toEqual([`${manager} install`, `${manager} start`])
    expect(listFiles(folder)).toEqual(site)
  })
})
