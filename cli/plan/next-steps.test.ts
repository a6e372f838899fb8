import { describe, expect, it } from 'vitest'
import type { Project } from '../project/project.js'
import { nextSteps } from './next-steps.js'
import { installCommands } from './packages.js'

const project: Project = {
  folder: '/site',
  server: 'hono',
  typescript: false,
  esm: true,
  manager: 'npm',
  dependencies: new Set(['hono', 'sitewright', 'sharp', 'undici', 'react', 'react-dom']),
  source: '',
  serverFile: { path: 'server.js', text: '' },
  config: undefined,
  media: { prefix: '/media/', folder: './media' },
  hasMedia: true,
  hasSecret: true,
  rootLayout: true,
  cacheComponents: false,
  findsTypes: true,
  tsExtensions: false,
}

const linesOf = (given: Partial<Project>) => nextSteps({ ...project, ...given }).flatMap(({ lines }) => lines)

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
    expect(linesOf(given)).toContain('app.use(sitewright)')
  })
})

it('nothing is left once all is done', () => {
  const text = "import { sitewright } from './sitewright/index.js'\napp.use(sitewright)"
  expect(linesOf({ serverFile: { path: 'server.js', text } })).toEqual([])
  const config = { path: 'next.config.ts', text: "images: { loader: 'custom', loaderFile: './image-loader.ts' }" }
  expect(linesOf({ server: 'next', config })).toEqual([])
})

it.each<[Partial<Project>, string]>([
  [{ server: 'next', typescript: true }, "images: { loader: 'custom', loaderFile: './image-loader.ts' },"],
  [{ server: 'next', source: 'src/' }, "images: { loader: 'custom', loaderFile: './src/image-loader.js' },"],
  [{ hasSecret: false }, 'STYLEGUIDE_ENABLED=true'],
  [{ hasMedia: false }, "images.srcSet({ src: '/media/cat.jpg', width: 640 })"],
  [{ server: 'next', hasMedia: false }, '<Image src="/media/cat.jpg" width={640} height={480} alt="A cat" />'],
  [{ findsTypes: false }, '"module": "nodenext", "moduleResolution": "nodenext"'],
])('%j needs: %s', (given, line) => {
  expect(linesOf(given)).toContain(line)
})

it.each<[Partial<Project>, number, string[]]>([
  [{}, 22, []],
  [{ dependencies: new Set() }, 22, ['npm install sitewright sharp undici react react-dom']],
  [{ dependencies: new Set(['react', 'react-dom']), manager: 'pnpm' }, 20, ['pnpm add sitewright sharp undici@7']],
  [{ dependencies: new Set(['react']), server: 'next', manager: 'yarn' }, 24, ['yarn add sitewright sharp undici']],
  [{ typescript: true, manager: 'bun' }, 24, ['bun add -D @types/node @types/react @types/react-dom']],
])('the packages of %j with Node %i: %j', (given, nodeMajor, commands) => {
  expect(installCommands({ ...project, ...given }, nodeMajor)).toEqual(commands)
})
