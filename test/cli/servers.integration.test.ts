import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addPicture, createProject, type Files, root, run, writeProject } from '../../cli/testing/project.js'
import { expectCachedPage, expectSite, secret, secretOf, start, stepLines } from '../../cli/testing/server.js'

const bin = (path: string) => join(root, 'node_modules', path)
const home = 'Our own page'
const source = '/media/cat.jpg'

interface Case {
  name: string
  files: Files
  /** The server's file, to which the two lines are added: as a user does, the first on top, the second after `mount`. */
  server: string
  text: string
  mount: string
  /** Compiles, if that is needed. */
  build?: (folder: string) => void
  program: string
}

const dependencies = { express: '^5', sitewright: '*', sharp: '*', undici: '*', react: '*', 'react-dom': '*' }
const honoText = `import { createServer } from 'node:http'
import { Hono } from 'hono'
import { nodeListener } from 'sitewright/node'

const app = new Hono()
app.get('/', (c) => c.html('${home}'))
createServer(nodeListener(app.fetch)).listen(process.env.PORT)
`
const expressText = `import express from 'express'

const app = express()
app.get('/', (_req, res) => void res.send('${home}'))
app.listen(process.env.PORT)
`
const tsconfig = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: ['node'],
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
}
const compile = (folder: string) => {
  execFileSync(process.execPath, [bin('typescript/bin/tsc')], { cwd: folder, stdio: 'pipe' })
}

const cases: Case[] = [
  {
    name: 'Express, JavaScript, ES modules',
    files: { 'package.json': { type: 'module', dependencies } },
    server: 'server.js',
    text: expressText,
    mount: 'const app = express()\n',
    program: 'server.js',
  },
  {
    name: 'Express, JavaScript, CommonJS',
    files: { 'package.json': { dependencies } },
    server: 'server.js',
    text: expressText.replace("import express from 'express'", "const express = require('express')"),
    mount: 'const app = express()\n',
    program: 'server.js',
  },
  {
    name: 'Express, JavaScript, "type": "commonjs", called as it is required',
    files: { 'package.json': { type: 'commonjs', dependencies } },
    server: 'index.js',
    text: expressText.replace(/.*\n\n.*/, "const app = require('express')()"),
    mount: "const app = require('express')()\n",
    program: 'index.js',
  },
  {
    name: 'Express, TypeScript, CommonJS',
    files: { 'package.json': { dependencies }, 'tsconfig.json': tsconfig },
    server: 'src/index.ts',
    text: expressText,
    mount: 'const app = express()\n',
    build: compile,
    program: 'dist/index.js',
  },
  {
    name: 'Hono, JavaScript, ES modules',
    files: { 'package.json': { type: 'module', dependencies: { ...dependencies, express: undefined, hono: '^4' } } },
    server: 'server.js',
    text: honoText,
    mount: 'const app = new Hono()\n',
    program: 'server.js',
  },
  {
    name: 'Hono, TypeScript, ES modules',
    files: {
      'package.json': { type: 'module', dependencies: { ...dependencies, express: undefined, hono: '^4' } },
      'tsconfig.json': tsconfig,
    },
    server: 'src/index.ts',
    text: honoText,
    mount: 'const app = new Hono()\n',
    build: compile,
    program: 'dist/index.js',
  },
  {
    name: "Vite with a server of Node's own",
    files: { 'package.json': { type: 'module', devDependencies: { vite: '^8' } } },
    server: 'server.js',
    text: `import { createServer } from 'node:http'

const yourHandler = (req, res) => res.end('${home}')
createServer(yourHandler).listen(process.env.PORT)
`,
    mount: 'createServer(yourHandler)',
    program: 'server.js',
  },
]

it.each(cases)(
  '$name: one import and one line',
  async ({ files, server, text, mount, build, program }) => {
    const folder = createProject({ ...files, [server]: text })
    const media = server === 'server.js' && 'vite' in files ? 'public/media' : 'media'
    addPicture(folder, `${media}/cat.jpg`)
    const { code, stdout, stderr } = run(folder, ['init', '--yes'])
    expect([code, stderr]).toEqual([0, ''])
    const [line = '', use = ''] = stepLines(stdout, server)
    expect(use).toContain('sitewright')
    const example = stepLines(stdout, 'A page with a picture')
    const below = mount.endsWith('\n') ? [mount.trim(), use, ...example, ''].join('\n') : use
    const environment = stepLines(stdout, '.env ')
    writeProject(folder, {
      [server]: `${line}\n${text.replace(mount, () => below)}`,
      // As they are copied out of a terminal.
      '.env': environment.map((text) => `     ${text}`).join('\n'),
      '.gitignore': stepLines(stdout, '.gitignore').join('\n'),
    })
    const again = run(folder, ['init']).stdout
    expect(again).toContain(`✓ ${server} mounts sitewright\n`)
    expect(again).toContain('✓ .env has REVALIDATE_SECRET and STYLEGUIDE_ENABLED\n')
    expect(again).toContain('✓ git ignores .env\n')
    if (example.length > 1) expect(again).not.toContain('A page with a picture')
    build?.(folder)
    const token = secretOf(environment)
    const url = await start(folder, () => [program], {})
    await expectSite(url, source, home, token)
    if (example.length > 1) await expectCachedPage(url, token)
  },
  120_000,
)

it.each([
  ['express', 'commonjs', 'server.mjs'],
  ['hono', 'module', 'server.js'],
])(
  '%s, %s, no server yet: the new file, the command and the addresses that are told',
  async (framework, type, server) => {
    const own = { ...dependencies, express: undefined, [framework]: '*' }
    const folder = createProject({ 'package.json': { type, dependencies: own } })
    addPicture(folder, 'media/cat.jpg')
    const { stdout } = run(folder, ['init', '--yes'])
    writeProject(folder, {
      [server]: stepLines(stdout, `A new ${server}`).join('\n'),
      '.env': stepLines(stdout, '.env ').join('\n'),
      '.gitignore': stepLines(stdout, '.gitignore').join('\n'),
    })
    const again = run(folder, ['init']).stdout
    expect(again).toMatch(/^Left for you to do:\n\n1\. sitewright\/styleguide\.m?js: your colors/m)
    expect(again).not.toContain('2. ')
    expect(again).toContain('A page with a picture, cached until it is purged:')
    expect(stepLines(again, 'Run')).toEqual([`node ${server}`])
    const url = await start(folder, () => [server], {})
    const told = (line: string) => line.replace('http://localhost:3000', url)
    for (const address of stepLines(again, 'Open')) expect((await fetch(told(address))).status).toBe(200)
    const curl = stepLines(again, 'Purge the pages').map(told).join('\n')
    const answer = execFileSync('sh', ['-c', curl], { cwd: folder, stdio: 'pipe', encoding: 'utf8' })
    expect(answer).toBe('{"revalidated":true}')
  },
  120_000,
)

it('tells what is still missing when it is run again', () => {
  const text = `${honoText}app.get('*', (c) => c.html('all'))\n`
  const folder = createProject({ 'package.json': { type: 'module', dependencies: { hono: '^4' } }, 'server.js': text })
  run(folder, ['init', '--yes'])
  writeProject(folder, {
    'server.js': `import { sitewright } from './sitewright/index.js'\n${text}`,
    '.env': 'REVALIDATE_SECRET=\nSTYLEGUIDE_ENABLED=true\n',
  })
  const imported = run(folder, ['init']).stdout
  expect(stepLines(imported, 'server.js')).toContain('app.use(sitewright) // before every route, also a catch-all')
  expect(stepLines(imported, '.env ')).toEqual([expect.stringMatching(/^REVALIDATE_SECRET=[\w-]{32}$/)])
  expect(stepLines(imported, 'Install')).toEqual(['npm install sitewright sharp undici@7 react react-dom'])
  writeProject(folder, {
    'server.js': `import { sitewright } from './sitewright/index.js'\n${text}app.use(sitewright)`,
  })
  const below = run(folder, ['init']).stdout
  expect(below).not.toContain('✓ server.js')
  expect(stepLines(below, 'server.js')).toEqual(['app.use(sitewright)', "app.get('*', (c) => c.html('all'))"])
})

it('offers the colors of a stylesheet that came later, and the example until something uses it', () => {
  const hono = { 'package.json': { type: 'module', dependencies: { hono: '^4' } }, 'server.js': honoText }
  const folder = createProject(hono)
  run(folder, ['init', '--yes'])
  writeProject(folder, { 'public/site.css': ':root { --color-brand: #7d2c1b }' })
  const { stdout } = run(folder, ['init'])
  const colors = stepLines(stdout, 'sitewright/styleguide.js')
  expect(colors.at(-1)).toBe("const colors = fromCssVariables(readFileSync('public/site.css', 'utf8')).colors")
  const example = 'A page with a picture'
  expect(stdout).toContain(example)
  const written = readFileSync(join(folder, 'sitewright/styleguide.js'), 'utf8')
  const mine = written.replace(/^const colors = .*$/m, colors.at(-1) as string)
  writeProject(folder, {
    'sitewright/styleguide.js': `${colors[0]}\n${mine}`,
    'routes/cat.js': "import { images } from '../sitewright/index.js'\n",
  })
  const again = run(folder, ['init']).stdout
  expect(again).toContain('✓ the styleguide shows your colors\n')
  expect(again).not.toContain(example)
})

it('shows the colors of a stylesheet that is there', () => {
  const folder = createProject({
    'package.json': { type: 'module', dependencies: { hono: '^4' } },
    'server.js': honoText,
    "public/the site's.css": ':root { --color-brand: #7d2c1b }',
  })
  run(folder, ['init', '--yes'])
  const show = `const { styleguide } = await import('./sitewright/styleguide.js')
const response = await styleguide(new Request('http://site.test/styleguide/colors'))
console.log(await response.text())`
  const env = { ...process.env, STYLEGUIDE_ENABLED: 'true' }
  const html = execFileSync(process.execPath, ['--input-type=module', '-e', show], { cwd: folder, env }).toString()
  expect(html).toContain('#7d2c1b')
  expect(html).not.toContain('#f6f1e7')
  expect(run(folder, ['init']).stdout).toContain('✓ the styleguide shows your colors\n')
})

it.each(['js', 'ts'])(
  'Vite with vite.config.%s: vite, and vite build with vite preview',
  async (ending) => {
    const config = `vite.config.${ending}`
    const folder = createProject({
      'package.json': { type: 'module', devDependencies: { vite: '^8' } },
      [config]: "import { defineConfig } from 'vite'\nexport default defineConfig({})\n",
      'index.html': `<!doctype html><title>${home}</title>`,
      ...(ending === 'ts' && { 'tsconfig.json': { ...tsconfig, include: ['.'] } }),
    })
    addPicture(folder, 'public/media/cat.jpg')
    const { stdout } = run(folder, ['init', '--yes'])
    const [line, ...plugins] = stepLines(stdout, config)
    const text = `import { defineConfig } from 'vite'\n${line}\nexport default defineConfig({\n${plugins.join('\n')}\n})\n`
    writeProject(folder, { [config]: text })
    if (ending === 'ts') {
      execFileSync(process.execPath, [bin('typescript/bin/tsc'), '--noEmit', '--rootDir', '.'], { cwd: folder })
    }
    const vite = bin('vite/bin/vite.js')
    const serve = (mode: string[]) => start(folder, (port) => [vite, ...mode, '--host', '127.0.0.1', '--port', port])
    await expectSite(await serve(['dev']), source, home, secret)
    execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: folder })
    await expectSite(await serve(['preview']), source, home, secret)
  },
  120_000,
)
