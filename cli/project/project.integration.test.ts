import { describe, expect, it } from 'vitest'
import { createProject, type Files } from '../testing/project.js'
import { readPackageJson } from './package-json.js'
import { findPackageManager } from './package-manager.js'
import { inspectProject, type Project } from './project.js'
import { findServers, type Server } from './server.js'

const inspect = (files: Files, server: Server) => {
  const folder = createProject({ 'package.json': {}, ...files }, { git: false })
  return inspectProject(folder, server, readPackageJson(folder))
}

it.each<[string[], Server[]]>([
  [['next', 'react', 'express'], ['next']],
  [['hono', 'vite'], ['hono']],
  [['express', 'vite'], ['express']],
  [
    ['hono', 'express', 'vite'],
    ['hono', 'express'],
  ],
  [['vite', 'react'], ['vite']],
  [['react'], []],
])('the servers among %j: %j', (dependencies, servers) => {
  expect(findServers(new Set(dependencies))).toEqual(servers)
})

describe('the source folder', () => {
  it.each<[string, Server, Files, string]>([
    ['of Next.js with app', 'next', { 'app/layout.tsx': '', 'src/app/page.tsx': '' }, ''],
    ['of Next.js with src/app', 'next', { 'src/app/layout.tsx': '' }, 'src/'],
    ['of Next.js with src/pages', 'next', { 'src/pages/index.tsx': '' }, 'src/'],
    ['of Next.js with nothing', 'next', {}, ''],
    ['is that of the server', 'express', { 'src/index.ts': 'const app = express()' }, 'src/'],
    ['is that of a server above', 'express', { 'server.js': 'const app = express()', 'src/client.js': '' }, ''],
    ['of what is not found', 'hono', { 'src/routes.ts': '' }, 'src/'],
  ])('%s', (_, server, files, source) => {
    expect(inspect(files, server).source).toBe(source)
  })
})

describe('the file of the server', () => {
  it.each<[string, Server, Files, string | undefined]>([
    [
      'by a script',
      'express',
      { 'package.json': { scripts: { dev: 'tsx watch api/run.ts' } }, 'api/run.ts': 'express()' },
      'api/run.ts',
    ],
    ['by main', 'hono', { 'package.json': { main: './go.js' }, 'go.js': 'new Hono()' }, 'go.js'],
    ['by a usual name', 'hono', { 'src/index.tsx': 'new Hono()' }, 'src/index.tsx'],
    ['called as it is required', 'express', { 'server.js': "require('express')()" }, 'server.js'],
    ['of another server', 'hono', { 'server.js': 'express()' }, undefined],
    [
      'that was built',
      'express',
      { 'package.json': { main: 'dist/server.js' }, 'dist/server.js': 'express()' },
      undefined,
    ],
    ['a folder of that name', 'express', { 'server.js/a.txt': '' }, undefined],
  ])('%s', (_, server, files, path) => {
    expect(inspect(files, server).serverFile?.path).toBe(path)
  })
})

it.each<[Files, Project['media'], string | undefined]>([
  [{}, { prefix: '/media/', folder: './media' }, undefined],
  [{ 'public/images/.gitkeep': '' }, { prefix: '/images/', folder: './public/images' }, undefined],
  [{ 'public/images/a.jpg': '' }, { prefix: '/images/', folder: './public/images' }, 'a.jpg'],
])('the pictures of %j: %j', (files, media, picture) => {
  expect(inspect(files, 'hono')).toMatchObject({ media, picture })
})

it.each<[Files, Partial<Project>]>([
  [{}, { typescript: false, findsTypes: true, esm: false }],
  [{ 'package.json': { type: 'module' } }, { esm: true }],
  [
    { 'tsconfig.json': '{ // comments\n "compilerOptions": { "moduleResolution": "Node" } }' },
    { typescript: true, findsTypes: false },
  ],
  [
    { 'tsconfig.json': '{ "compilerOptions": { "rewriteRelativeImportExtensions": true } }' },
    { tsExtensions: true, findsTypes: true },
  ],
  [{ '.env': 'A=1\nREVALIDATE_SECRET=x' }, { environment: new Set(['A', 'REVALIDATE_SECRET']) }],
  [{ '.env': '# REVALIDATE_SECRET=x' }, { environment: new Set() }],
  [{ '.env': 'REVALIDATE_SECRET=\nA=""\nB= # none' }, { environment: new Set() }],
])('%j is %j', (files, expected) => {
  expect(inspect(files, 'express')).toMatchObject(expected)
})

describe('the layout of the styleguide', () => {
  const html = '<html lang="en">'
  it.each<[string, Files, Partial<Project>]>([
    ['is the root layout', { 'app/layout.js': html }, { missingLayout: undefined, nestedLayout: undefined }],
    ['is a root layout with a component', { 'app/layout.js': '<Document>' }, { missingLayout: undefined }],
    ['is missing with it', {}, { missingLayout: 'root' }],
    ['is missing with that of pages', { 'src/pages/index.js': '' }, { missingLayout: 'root' }],
    ['is missing beside groups', { 'app/(site)/layout.js': html }, { missingLayout: 'styleguide' }],
    ['is missing beside languages', { 'src/app/[lang]/layout.js': html }, { missingLayout: 'styleguide' }],
    [
      'is missing below a root layout without html',
      { 'app/layout.js': 'children', 'app/[lang]/layout.js': html },
      { missingLayout: 'styleguide' },
    ],
    [
      'has html within that of the root layout',
      { 'app/layout.js': html, 'app/styleguide/layout.js': html },
      { missingLayout: undefined, nestedLayout: 'app/styleguide/layout.js' },
    ],
    [
      'has no html within that of the root layout',
      { 'app/layout.js': html, 'app/styleguide/layout.js': 'children' },
      { missingLayout: undefined, nestedLayout: undefined },
    ],
  ])('%s', (_, files, expected) => {
    expect(inspect(files, 'next')).toMatchObject(expected)
  })
})

describe('the package manager', () => {
  it.each<[string, string | undefined, Files, string]>([
    ['is declared', 'pnpm@10.2.0', { 'yarn.lock': '' }, 'pnpm'],
    ['by package-lock.json', undefined, { 'package-lock.json': '{}' }, 'npm'],
    ['by pnpm-lock.yaml', undefined, { 'pnpm-lock.yaml': '' }, 'pnpm'],
    ['by yarn.lock', undefined, { 'yarn.lock': '' }, 'yarn'],
    ['by bun.lock', undefined, { 'bun.lock': '' }, 'bun'],
  ])('%s', (_, declared, files, manager) => {
    expect(findPackageManager(createProject(files, { git: false }), declared)).toBe(manager)
  })

  it('is that of the monorepo', () => {
    const folder = createProject({ 'pnpm-lock.yaml': '', 'sites/a/package.json': {} })
    expect(findPackageManager(`${folder}/sites/a`, undefined)).toBe('pnpm')
  })

  it('is not that of what is above the repository', () => {
    const folder = createProject({ 'pnpm-lock.yaml': '', 'a/.git/HEAD': '' }, { git: false })
    expect(findPackageManager(`${folder}/a`, undefined)).not.toBe('pnpm')
  })
})
