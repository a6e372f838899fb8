import { describe, expect, it } from 'vitest'
import { findPackageManager, inspectProject, type Project, type Server } from './project.js'
import { createProject, type Files } from './testing/project.js'

const inspect = (files: Files, server?: Server) =>
  inspectProject(createProject({ 'package.json': {}, ...files }), server)

it.each<[string[], Server]>([
  [['next', 'react', 'express'], 'next'],
  [['hono', 'vite'], 'hono'],
  [['express', 'vite'], 'express'],
  [['vite', 'react'], 'vite'],
])('the server of the dependencies %j is %s', (names, server) => {
  const dependencies = Object.fromEntries(names.map((name) => [name, '*']))
  expect(inspect({ 'package.json': { dependencies } }).server).toBe(server)
})

it.each([
  ['a byte order mark', '\uFEFF{ "devDependencies": { "hono": "4" } }'],
  ['the line ends of Windows', '{\r\n  "devDependencies": {\r\n    "hono": "4"\r\n  }\r\n}\r\n'],
])('inspectProject reads a package.json with %s', (_, text) => {
  expect(inspect({ 'package.json': text }).server).toBe('hono')
})

describe('the source folder', () => {
  it.each<[string, Server, Files, string]>([
    ['of Next.js with app', 'next', { 'app/layout.tsx': '', 'src/app/page.tsx': '' }, ''],
    ['of Next.js with src/app', 'next', { 'src/app/layout.tsx': '' }, 'src/'],
    ['of Next.js with src/pages', 'next', { 'src/pages/index.tsx': '' }, 'src/'],
    ['of Next.js with nothing', 'next', {}, ''],
    ['of a server with src', 'hono', { 'src/routes.ts': '' }, 'src/'],
    ['of a server without src', 'express', { 'server.js': '' }, ''],
  ])('the source folder %s is found', (_, server, files, source) => {
    expect(inspect(files, server).source).toBe(source)
  })
})

it.each<[Files, Project['media']]>([
  [{}, { prefix: '/media/', folder: './media', picture: 'cat.jpg', hasPicture: false }],
  [
    { 'public/images/.gitkeep': '' },
    { prefix: '/images/', folder: './public/images', picture: 'cat.jpg', hasPicture: false },
  ],
  [
    { 'public/images/a.jpg': '' },
    { prefix: '/images/', folder: './public/images', picture: 'a.jpg', hasPicture: true },
  ],
])('the pictures of %j are in %j', (files, media) => {
  expect(inspect(files, 'hono')).toMatchObject({ media })
})

it.each<[string, unknown, Partial<Project>]>([
  ['{ // comments\n "compilerOptions": { "module": "Node16" } }', undefined, { rejectsEsModules: true }],
  ['{\r\n  "compilerOptions": {\r\n    "module":\r\n "node18"\r\n  }\r\n}', 'commonjs', { rejectsEsModules: true }],
  ['{ "compilerOptions": { "module": "node16" } }', 'module', { rejectsEsModules: false }],
  ['{ "compilerOptions": { "module": "commonjs" } }', 'commonjs', { rejectsEsModules: false }],
  ['{ "compilerOptions": { "module": "nodenext" } }', 'commonjs', { rejectsEsModules: false }],
  ['{ "extends": "./base.json" }', 'commonjs', { rejectsEsModules: false }],
  ['{ "compilerOptions": { "rewriteRelativeImportExtensions": true } }', 'module', { tsExtensions: true }],
  ['{ "compilerOptions": {\r\n"allowImportingTsExtensions": true } }', 'module', { tsExtensions: true }],
  ['{ "compilerOptions": { "allowImportingTsExtensions": false } }', 'module', { tsExtensions: false }],
])('tsconfig.json %j with the type %j is read as %j', (text, type, expected) => {
  const files = { 'tsconfig.json': text, 'package.json': { type } }
  expect(inspect(files, 'express')).toMatchObject({ typescript: true, ...expected })
})

describe('the layout of the styleguide', () => {
  const html = '<html lang="en">'
  it.each<[string, Files, Partial<Project>]>([
    ['is the root layout', { 'app/layout.js': html }, { missingLayout: undefined }],
    ['is a root layout with a component', { 'app/layout.js': '<Document>' }, { missingLayout: undefined }],
    ['is missing without an app folder', {}, { missingLayout: '' }],
    ['is missing with a pages folder', { 'src/pages/index.js': '' }, { missingLayout: '' }],
    ['is missing beside groups', { 'app/(site)/layout.js': html }, { missingLayout: 'styleguide/' }],
    ['is missing beside languages', { 'src/app/[lang]/layout.js': html }, { missingLayout: 'styleguide/' }],
    [
      'is missing below a root layout without html',
      { 'app/layout.js': 'children', 'app/[lang]/layout.js': html },
      { missingLayout: 'styleguide/' },
    ],
  ])('the layout of the styleguide %s', (_, files, expected) => {
    expect(inspect(files, 'next')).toMatchObject(expected)
  })
})

describe('the package manager', () => {
  it.each<[string, Files, string]>([
    ['package-lock.json', { 'package-lock.json': '{}' }, 'npm'],
    ['pnpm-lock.yaml', { 'pnpm-lock.yaml': '' }, 'pnpm'],
    ['yarn.lock', { 'yarn.lock': '' }, 'yarn'],
    ['bun.lock', { 'bun.lock': '' }, 'bun'],
  ])('the package manager is detected from %s', (_, files, manager) => {
    expect(findPackageManager(createProject(files))).toBe(manager)
  })

  it('the package manager of a monorepo is detected from its root', () => {
    const folder = createProject({ 'pnpm-lock.yaml': '', 'sites/a/package.json': {} })
    expect(findPackageManager(`${folder}/sites/a`)).toBe('pnpm')
  })

  it('a lock file above the repository does not count', () => {
    const folder = createProject({ 'pnpm-lock.yaml': '', 'a/.git/HEAD': '' })
    expect(findPackageManager(`${folder}/a`)).not.toBe('pnpm')
  })
})

it.each<[string, Server, Files, string | undefined]>([
  [
    'a route of Express',
    'express',
    { 'src/routes/hooks.js': "router.post('/api/revalidate', purge)" },
    'src/routes/hooks.js',
  ],
  ['a route of Hono', 'hono', { 'src/app.ts': 'app.all("/api/revalidate/:tag", purge)' }, 'src/app.ts'],
  [
    'a route of Next.js',
    'next',
    { 'src/app/api/revalidate/route.js': 'export POST' },
    'src/app/api/revalidate/route.js',
  ],
  ['an API route of Next.js', 'next', { 'pages/api/revalidate.ts': '' }, 'pages/api/revalidate.ts'],
  ['the written files', 'express', { 'sitewright-setup/revalidate.js': "path: '/api/revalidate'" }, undefined],
  ['the written route', 'next', { 'app/api/revalidate/route.ts': "from 'sitewright/next'" }, undefined],
  [
    'another route',
    'express',
    { 'app.js': "app.get('/api/revalidated', list)", 'a.md': "'/api/revalidate'" },
    undefined,
  ],
])('%s that has the path of the endpoint is found: %s', (_, server, files, taken) => {
  expect(inspect(files, server).takenBy).toBe(taken)
})
