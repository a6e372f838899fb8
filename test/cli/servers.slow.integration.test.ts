import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addPicture, createProject, type Files, root, run, writeProject } from '../../cli/testing/project.js'
import { expectCachedPage, expectSite, secret, secretOf, start, stepLines } from '../../cli/testing/server.js'

const bin = (path: string) => join(root, 'node_modules', path)
const home = 'Our own page'
const source = '/media/cat.jpg'

/** The styles of the site, which the styleguide is to show. */
const styles = { 'public/site.css': ':root { --color-brand: #b3412e }' }

interface Case {
  name: string
  files: Files
  /**
   * The server's file, to which the two lines are added: as a user does, the first on top, the second after `mount`.
   */
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
// Version 7 takes a fifth of the time of the others.
const tsc = (version = '7') => join(root, `test/typescript/${version}/node_modules/typescript/bin/tsc`)
const compile = (folder: string, version?: string) => {
  execFileSync(process.execPath, [tsc(version)], { cwd: folder, stdio: 'pipe' })
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
    name: 'Express, TypeScript 5.9, CommonJS by "module": "commonjs"',
    files: {
      'package.json': { dependencies },
      'tsconfig.json': {
        ...tsconfig,
        compilerOptions: { ...tsconfig.compilerOptions, module: 'commonjs', esModuleInterop: true },
      },
    },
    server: 'src/index.ts',
    text: expressText,
    mount: 'const app = express()\n',
    build: (folder) => compile(folder, '5.9'),
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
    build: (folder) => compile(folder),
    program: 'dist/index.js',
  },
]

it.each(cases)(
  '$name works after one import and one line',
  async ({ files, server, text, mount, build, program }) => {
    const folder = createProject({ ...files, ...styles, [server]: text })
    addPicture(folder, 'media/cat.jpg')
    const { code, stdout, stderr } = run(folder, ['init', '--yes'])
    expect([code, stderr]).toEqual([0, ''])
    const [line = '', use = ''] = stepLines(stdout, server)
    const example = stepLines(stdout, 'A page with a picture')
    const environment = stepLines(stdout, '.env,')
    writeProject(folder, {
      [server]: `${line}\n${text.replace(mount, () => [mount.trim(), use, ...example, ''].join('\n'))}`,
      // As copied from a terminal.
      '.env': environment.map((text) => `     ${text}`).join('\n'),
    })
    build?.(folder)
    const token = secretOf(environment)
    const url = await start(folder, () => [program], {})
    await expectSite(url, source, home, token)
    await expectCachedPage(url, token)
  },
  120_000,
)

it.each([
  ['express', 'commonjs'],
  ['hono', 'module'],
])(
  '%s, %s, without a server: the new file, the command and the printed addresses work',
  async (framework, type) => {
    const ownDependencies = { ...dependencies, express: undefined, [framework]: '*' }
    const folder = createProject({ 'package.json': { type, dependencies: ownDependencies }, ...styles })
    addPicture(folder, 'media/cat.jpg')
    const { stdout } = run(folder, ['init', '--yes'])
    writeProject(folder, {
      'server.js': stepLines(stdout, 'A new server.js').join('\n'),
      '.env': stepLines(stdout, '.env,').join('\n'),
    })
    expect(run(folder, ['init']).stdout).toContain('Nothing to write')
    expect(stepLines(stdout, 'Run')).toEqual(['node server.js'])
    const url = await start(folder, () => ['server.js'], {})
    const withUrl = (line: string) => line.replace('http://localhost:3000', url)
    for (const address of stepLines(stdout, 'Open')) expect((await fetch(withUrl(address))).status).toBe(200)
    const curl = stepLines(stdout, 'Purge the pages').map(withUrl).join('\n')
    const answer = execFileSync('sh', ['-c', curl], { cwd: folder, stdio: 'pipe', encoding: 'utf8' })
    expect(answer).toBe('{"revalidated":true}')
  },
  120_000,
)

it('Vite with vite.config.ts: vite, and vite build with vite preview', async () => {
  const config = 'vite.config.ts'
  const folder = createProject({
    'package.json': { type: 'module', devDependencies: { vite: '^8' } },
    ...styles,
    [config]: "import { defineConfig } from 'vite'\nexport default defineConfig({})\n",
    'index.html': `<!doctype html><title>${home}</title>`,
    'tsconfig.json': { ...tsconfig, include: ['.'] },
  })
  addPicture(folder, 'public/media/cat.jpg')
  const { stdout } = run(folder, ['init', '--yes'])
  const [line, ...plugins] = stepLines(stdout, config)
  const text = `import { defineConfig } from 'vite'\n${line}\nexport default defineConfig({\n${plugins.join('\n')}\n})\n`
  writeProject(folder, { [config]: text })
  execFileSync(process.execPath, [tsc(), '--noEmit', '--rootDir', '.'], { cwd: folder })
  const vite = bin('vite/bin/vite.js')
  const serve = (mode: string[]) => start(folder, (port) => [vite, ...mode, '--host', '127.0.0.1', '--port', port])
  await expectSite(await serve(['dev']), source, home, secret)
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: folder })
  await expectSite(await serve(['preview']), source, home, secret)
}, 120_000)
