import { expect, it } from 'vitest'
import { inspectProject, type Project } from './project.js'
import { nextSteps } from './steps.js'
import { createProject } from './testing/project.js'

const project: Project = {
  server: 'hono',
  manager: 'npm',
  dependencies: new Set(['hono', 'sitewright', 'sharp', 'undici', 'react', 'react-dom']),
  scripts: {},
  type: 'module',
  typescript: false,
  tsExtensions: false,
  rejectsEsModules: false,
  source: '',
  media: { folder: './media', prefix: '/media/', picture: 'cat.jpg', hasPicture: true },
  imagePrefix: '_image',
  takenBy: undefined,
  serverFile: undefined,
  parts: { styles: undefined, theme: [], title: undefined, component: undefined },
  config: undefined,
  next: undefined,
  missingLayout: undefined,
}

const next: Project['next'] = {
  basePath: '/shop',
  hasPagesOnly: false,
  slash: '/',
  layout: 'app/layout.tsx',
  movesNotFound: true,
  pages: ['"app/layout.tsx"', '"app/page.tsx"'],
  proxy: 'proxy.ts',
  matcher: "'/((?!_image|api).*)',",
  redirectSource: "'/((?!api).*)',",
  sharp: '0.34.5',
}

const stepsOf = (overrides: Partial<Project>) => nextSteps({ ...project, ...overrides })
const titlesOf = (overrides: Partial<Project>) => stepsOf(overrides).map((step) => step.split('\n')[0])
const config = { path: 'next.config.js', text: '' }

it.each<[string, Partial<Project>, string]>([
  ['the import', {}, "import { sitewright } from './sitewright-setup/index.js'"],
  ['CommonJS', { type: undefined }, "const { sitewright } = require('./sitewright-setup/index.mjs')"],
  ['TypeScript', { typescript: true }, "import { sitewright } from './sitewright-setup/index.js'"],
  [
    'TypeScript with .ts imports',
    { typescript: true, tsExtensions: true },
    "import { sitewright } from './sitewright-setup/index.ts'",
  ],
  ['the middleware', {}, 'app.use(sitewright) // before every route, also a catch-all'],
  ['Vite', { server: 'vite', source: 'src/' }, "import { sitewright } from './src/sitewright-setup/index.js'"],
  ['Next.js', { server: 'next', config }, "images: { loader: 'custom', loaderFile: './image-loader.js' },"],
  [
    'Next.js in src',
    { server: 'next', config, source: 'src/', typescript: true },
    "images: { loader: 'custom', loaderFile: './src/image-loader.ts' },",
  ],
  ['Next.js and CommonJS', { server: 'next', type: 'commonjs' }, 'npm pkg delete type'],
  ['"module": "node16" in CommonJS', { typescript: true, rejectsEsModules: true }, '"module": "nodenext"'],
  ['a secret', {}, 'REVALIDATE_SECRET='],
  ['the secret of Next.js', { server: 'next' }, '. ./.env.local'],
  ['a picture', { media: { ...project.media, hasPicture: false } }, './media/cat.jpg'],
  ['a script', { scripts: { start: '', dev: '' }, manager: 'pnpm' }, 'pnpm run dev'],
  ['a new server', { type: undefined }, 'node server.js'],
  ['a new server in TypeScript', { typescript: true, source: 'src/' }, 'npx tsx src/server.ts'],
  ['an address', {}, `http://localhost:3000/_image/${Buffer.from('/media/cat.jpg').toString('base64url')}?width=640`],
  [
    'the addresses of a basePath and trailingSlash',
    { server: 'next', next },
    `http://localhost:3000/shop/_image/${Buffer.from('/media/cat.jpg').toString('base64url')}/?width=640`,
  ],
  ['the endpoint with its slash', { server: 'next', next }, 'http://localhost:3000/shop/api/revalidate/'],
  ['the matcher of a proxy', { server: 'next', next }, "in its matcher:\n'/((?!_image|api).*)',"],
  [
    'the route group of a layout with a header',
    { server: 'next', next },
    'mkdir "app/(site)" && mv "app/layout.tsx" "app/page.tsx" "app/(site)"',
  ],
  [
    'the 404 of a layout that moves',
    { server: 'next', next, typescript: true },
    'app/global-not-found.tsx, and experimental: { globalNotFound: true } in the configuration',
  ],
  [
    'the version of sharp beside Next.js',
    { server: 'next', next, dependencies: new Set() },
    'sitewright sharp@0.34.5 next',
  ],
  ['the path that is taken', { takenBy: 'app.js' }, 'app.js has /api/revalidate already. If the site answers there,'],
  [
    'the path that is taken in Next.js',
    { server: 'next', takenBy: 'pages/api/revalidate.js' },
    'pages/api/revalidate.js has',
  ],
  [
    'the redirect of all paths',
    { server: 'next', next, config },
    "next.config.js, whose redirect answers before these paths; its source:\n'/((?!api).*)',",
  ],
  ['the port of Vite', { server: 'vite' }, 'http://localhost:5173/styleguide'],
])('the steps have %s for %j: %s', (_, overrides, line) => {
  expect(stepsOf(overrides).join('\n')).toContain(line)
})

it.each<[Partial<Project>, string]>([
  [{}, 'A new server.js, or its two sitewright lines in yours:'],
  [{ type: undefined }, 'A new server.js, or its two sitewright lines in yours (ESM: `import`):'],
  [{ typescript: true, source: 'src/' }, 'A new src/server.ts, or its two sitewright lines in yours:'],
])('the step for the server of %j has the title: %s', (overrides, title) => {
  expect(titlesOf(overrides)).toContain(title)
})

it.each<[Partial<Project>, string[]]>([
  [{}, []],
  [{ dependencies: new Set() }, ['npm install sitewright sharp undici@7 hono react react-dom']],
  [{ server: 'express', dependencies: new Set() }, ['npm install sitewright sharp undici@7 express react react-dom']],
  [
    { server: 'next', dependencies: new Set(['next', 'react', 'react-dom']), manager: 'pnpm' },
    ['pnpm add sitewright sharp'],
  ],
  [{ typescript: true, manager: 'bun' }, ['bun add -D @types/node @types/react @types/react-dom']],
])('the packages for %j are installed by %j', (overrides, commands) => {
  const lines = stepsOf(overrides).flatMap((step) => (step.startsWith('Install:\n') ? step.split('\n').slice(1) : []))
  expect(lines).toEqual(commands)
})

it('a step that the files show as done is left out', () => {
  const text = "images: { loader: 'custom', loaderFile: './image-loader.ts' }"
  const titles = titlesOf({
    server: 'next',
    dependencies: new Set([...project.dependencies, 'next']),
    config: { ...config, text },
  })
  expect(titles.filter((title = '') => /Install|next\.config|^A picture|tsconfig/.test(title))).toEqual([])
})

const serve = "import { serve } from '@hono/node-server'\n"
const honoFiles = (text: string, dependencies: object = {}) => ({
  'package.json': { type: 'module', scripts: { dev: 'x' }, dependencies: { hono: '4', ...dependencies } },
  'src/index.ts': text,
  'tsconfig.json': '{}',
})
const use = 'app.use(sitewright) // before every route, also a catch-all'

it.each<[string, ReturnType<typeof honoFiles>, string]>([
  ['that starts it', honoFiles(`${serve}const app = new Hono()\nserve({ fetch: app.fetch, port: 3000 })`), use],
  ['with types', honoFiles(`${serve}const app: Hono<Env> = new Hono<Env>()\nserve(app)`), use],
  ['of a framework on Hono', honoFiles(`${serve}const app = new OpenAPIHono()\nserve(app)`), use],
  ['that exports it', honoFiles("export default new Hono().get('/', (c) => c.text('a page'))"), use],
  [
    'of HonoX',
    honoFiles("import { createApp } from 'honox/server'\nconst app = createApp()\nexport default app", { vite: '7' }),
    'createApp({ init: (app) => app.use(sitewright) })',
  ],
])('init in a Hono site names its own file %s, and no other server', (_, files, line) => {
  const steps = nextSteps(inspectProject(createProject(files))).join('\n')
  expect(steps).toContain('src/index.ts, in which the second line is the first after the app is created:')
  expect(steps.split('\n')).toContain(line)
  expect(steps).not.toContain('nodeListener')
  expect(steps.includes("import { sitewright } from 'sitewright/vite'")).toBe(
    'vite' in files['package.json'].dependencies,
  )
})
