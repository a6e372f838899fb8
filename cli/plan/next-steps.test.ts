import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Project } from '../project/project.js'
import { nextSteps } from './next-steps.js'
import { installCommands } from './packages.js'

const project: Project = {
  folder: '/site',
  server: 'hono',
  typescript: false,
  esm: true,
  type: 'module',
  scripts: {},
  manager: 'npm',
  dependencies: new Set(['hono', 'sitewright', 'sharp', 'undici', 'react', 'react-dom']),
  source: '',
  serverFile: { path: 'server.js', text: '' },
  config: undefined,
  media: { prefix: '/media/', folder: './media' },
  picture: 'cat.jpg',
  environment: new Set(['REVALIDATE_SECRET', 'STYLEGUIDE_ENABLED']),
  environmentFile: '.env',
  ignoresEnvironment: true,
  stylesheet: undefined,
  styleguide: undefined,
  usesFiles: true,
  missingLayout: undefined,
  nestedLayout: undefined,
  pageFolder: '',
  cacheComponents: false,
  findsTypes: true,
  tsExtensions: false,
}

const left = (given: Partial<Project>) => nextSteps({ ...project, ...given }, 'random').filter(({ done }) => !done)
const linesOf = (given: Partial<Project>) => left(given).flatMap(({ lines }) => lines)

describe('the import', () => {
  const required = "import express from 'express'"
  it.each<[string, Partial<Project>, string]>([
    ['beside the server', {}, "import { sitewright } from './sitewright/index.js'"],
    [
      'within src',
      { source: 'src/', serverFile: { path: 'src/server.js', text: '' } },
      "import { sitewright } from './sitewright/index.js'",
    ],
    [
      'from a folder beside it',
      { serverFile: { path: 'server/index.js', text: '' } },
      "import { sitewright } from '../sitewright/index.js'",
    ],
    [
      'below a server without a file',
      { source: 'src/', serverFile: undefined },
      "import { sitewright } from './sitewright/index.js'",
    ],
    ['in CommonJS', { esm: false }, "const { sitewright } = require('./sitewright/index.mjs')"],
    [
      'in a module of a CommonJS project',
      { esm: false, serverFile: { path: 'server.mjs', text: '' } },
      "import { sitewright } from './sitewright/index.mjs'",
    ],
    [
      'in a CommonJS project that something compiles',
      { esm: false, serverFile: { path: 'server.js', text: required } },
      "import { sitewright } from './sitewright/index.mjs'",
    ],
    [
      'in TypeScript',
      { typescript: true, esm: false, dependencies: new Set() },
      "import { sitewright } from './sitewright/index.js'",
    ],
    [
      'in TypeScript that is run as it is',
      { typescript: true, tsExtensions: true },
      "import { sitewright } from './sitewright/index.ts'",
    ],
  ])('%s', (_, given, line) => {
    expect(linesOf(given)).toContain(line)
    expect(linesOf(given).join('\n')).toContain('app.use(sitewright)')
  })
})

it('nothing is left once all is done', () => {
  const text = "import { sitewright } from './sitewright/index.js'\napp.use(sitewright)"
  expect(linesOf({ serverFile: { path: 'server.js', text } })).toEqual([])
  const loader = { path: 'next.config.ts', text: "images: { loader: 'custom', loaderFile: './image-loader.ts' }" }
  expect(linesOf({ server: 'next', config: loader })).toEqual([])
})

const config = { path: 'next.config.js', text: '' }
const sample = { path: 'sitewright/styleguide.js', text: readFileSync('cli/templates/server/styleguide.ts', 'utf8') }

it.each<[Partial<Project>, string]>([
  [
    { server: 'next', config: { path: 'next.config.js', text: 'images: {}' } },
    "loader: 'custom', loaderFile: './image-loader.js',",
  ],
  [{ server: 'next', config, typescript: true }, "images: { loader: 'custom', loaderFile: './image-loader.ts' },"],
  [{ server: 'next', config, source: 'src/' }, "images: { loader: 'custom', loaderFile: './src/image-loader.js' },"],
  [{ environment: new Set() }, 'REVALIDATE_SECRET=random'],
  [{ environment: new Set() }, 'STYLEGUIDE_ENABLED=true'],
  [{ picture: undefined }, './media/cat.jpg'],
  [{ ignoresEnvironment: false }, '.env'],
  [{ ignoresEnvironment: false }, '.cache/'],
  [{ styleguide: sample }, "const colors = fromCssVariables(':root { --color-brand: #7d2c1b }').colors"],
  [
    { styleguide: sample, stylesheet: 'public/a.css' },
    "const colors = fromCssVariables(readFileSync('public/a.css', 'utf8')).colors",
  ],
  [
    { styleguide: sample, stylesheet: 'public/a"\\\'\n.css' },
    "const colors = fromCssVariables(readFileSync('public/a\"\\\\\\'\\n.css', 'utf8')).colors",
  ],
  [{ server: 'next', type: 'commonjs' }, 'npm pkg delete type'],
  [{ server: 'next', nestedLayout: 'app/styleguide/layout.js' }, 'rm app/styleguide/layout.js'],
  [
    { server: 'next', config: { path: 'next.config.js', text: 'output: "standalone"' } },
    'outputFileTracingIncludes: {',
  ],
  [{ findsTypes: false }, '"module": "nodenext", "moduleResolution": "nodenext"'],
  [{ server: 'next', findsTypes: false }, '"moduleResolution": "bundler"'],
])('%j needs: %s', (given, line) => {
  expect(linesOf(given)).toContain(line)
})

it.each<[Partial<Project>, string[]]>([
  [{}, []],
  [{ dependencies: new Set() }, ['npm install sitewright sharp undici@7 react react-dom']],
  [{ dependencies: new Set(['react', 'react-dom']), manager: 'pnpm' }, ['pnpm add sitewright sharp undici@7']],
  [{ dependencies: new Set(['react']), server: 'next', manager: 'yarn' }, ['yarn add sitewright sharp undici@7']],
  [{ typescript: true, manager: 'bun' }, ['bun add -D @types/node @types/react @types/react-dom']],
])('the packages of %j: %j', (given, commands) => {
  expect(installCommands({ ...project, ...given })).toEqual(commands)
})

describe('the server file', () => {
  const imported = "import { sitewright } from './sitewright/index.js'\nconst app = express()\n"
  const use = 'app.use(sitewright)\n'
  const isMounted = (text: string, server: Project['server'] = 'express') =>
    linesOf({ server, serverFile: { path: 'server.js', text } }).length === 0

  it.each([
    ['mounts it', imported + use],
    ['mounts it for a path', `${imported}app.use('/', sitewright)`],
    ['mounts it by require', "const { sitewright } = require('./sitewright/index.mjs')\napp.use(sitewright)"],
    ['has a catch-all below', `${imported}${use}app.get('/{*path}', show)\napp.use((req, res) => res.send())`],
    ['has other middleware above', `${imported}app.use('*', log)\napp.use((req, res, next) => next())\n${use}`],
    ['has a route above', `${imported}app.get('/a', (req, res) => res.send())\n${use}`],
  ])('%s: nothing is left', (_, text) => {
    expect(isMounted(text)).toBe(true)
  })

  it.each([
    ['only imports it', imported],
    ['imports it in several lines', "import {\n  sitewright,\n} from './sitewright/index.js'\n"],
    ['has it in a comment', `${imported}// ${use}/* ${use} */`],
    ['has it as a name', "import 'sitewright/node'\nconst plugin = { name: 'sitewright' }"],
  ])('%s: the line is left', (_, text) => {
    const lines = linesOf({ server: 'express', serverFile: { path: 'server.js', text } })
    expect(lines.at(-1)).toContain('app.use(sitewright)')
    expect(lines).toHaveLength(text.includes('./sitewright/index') ? 1 : 2)
  })

  it.each<[Project['server'], string]>([
    ['hono', "app.get('*', show)"],
    ['hono', "app.all('/*', show)"],
    ['express', "app.get('/{*path}', show)"],
    ['express', "app.get('/*path', show)"],
    ['express', 'app.get(/.*/, show)'],
    ['express', 'app.use((req, res) => res.status(404).end())'],
  ])('%s with `%s` above it: the line is told', (server, line) => {
    const serverFile = { path: 'server.js', text: `${imported}${line}\n${use}` }
    expect(linesOf({ server, serverFile })).toEqual(['app.use(sitewright)', line])
  })
})
