import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inspectProject } from './project.js'
import type { StyleSource } from './styles.js'
import { createProject, type Files, run } from './testing/project.js'

const manifest = { type: 'module', dependencies: { hono: '4' } }
const partsOf = (files: Files, server = 'next') =>
  inspectProject(createProject({ 'package.json': { dependencies: { next: '16' } }, ...files }), server).parts

const brand = '--color-brand: #7d2c1b'

it.each<[string, Files, StyleSource | undefined]>([
  ['nothing', {}, undefined],
  ['a stylesheet without colors', { 'a.css': 'a { color: red }' }, undefined],
  [
    'a stylesheet of Tailwind 4',
    { 'src/app.css': '@import "tailwindcss";' },
    { reader: 'fromTailwind4', path: 'src/app.css' },
  ],
  ['@theme', { 'a.css': `@theme { ${brand} }` }, { reader: 'fromTailwind4', path: 'a.css' }],
  [
    'the stylesheet with the most colors',
    {
      'a.css': `:root { ${brand} }`,
      'b/c.css': `:root { ${brand}; --color-ink: #123 }`,
      'd.min.css': `:root { ${brand} }`,
    },
    { reader: 'fromCssVariables', path: 'b/c.css' },
  ],
  [
    'names without color',
    { 'a.css': ':root { --ink: #123; --gap: 1rem }' },
    { reader: 'fromCssVariables', path: 'a.css', prefix: '--' },
  ],
  [
    'what Sass has written',
    { 'a.scss': '$ink: #123', 'public/css/a.css': `:root { ${brand} }` },
    { reader: 'fromCssVariables', path: 'public/css/a.css' },
  ],
  ['other packages and builds', { 'dist/a.css': `:root { ${brand} }`, '.next/a.css': `:root { ${brand} }` }, undefined],
  [
    'design tokens',
    { 'tokens/brand.tokens.json': '{}', 'package-lock.json': '{}' },
    { reader: 'fromDesignTokens', path: 'tokens/brand.tokens.json' },
  ],
  [
    'a configuration of Tailwind 3',
    { 'tailwind.config.cjs': '' },
    { reader: 'fromTailwind3', path: 'tailwind.config.cjs' },
  ],
])('the styles of a site with %s are found', (_, files, styles) => {
  expect(partsOf(files).styles).toEqual(styles)
})

it.each<[string, Files, string | undefined]>([
  ['no title', { 'app/layout.jsx': '<title>{title}</title>' }, undefined],
  ['a document', { 'index.html': "<title>\n  Silver & Salt's\n</title>" }, "Silver & Salt's"],
  [
    'metadata',
    { 'app/layout.tsx': "const nav = [{ title: 'Home' }]\nexport const metadata = { title: 'Silver & Salt' }" },
    'Silver & Salt',
  ],
  [
    'a template of metadata',
    { 'src/app/layout.tsx': "export const metadata: Metadata = {\n  title: {\n    default: 'Silver',\n" },
    'Silver',
  ],
  [
    'a layout of Pug',
    { 'views/layout.pug': 'html\n  head\n    title= title\n', 'views/base.pug': 'head\n  title Salt\n' },
    'Salt',
  ],
])('the title of a site with %s is found', (_, files, title) => {
  expect(partsOf(files).title).toBe(title)
})

it.each<[string, Record<string, string>, object | undefined]>([
  [
    'without props',
    { 'components/logo.jsx': 'export default function Logo() {' },
    { name: 'Logo', isDefault: true, hasChildren: false },
  ],
  [
    'a button before others',
    {
      'components/a.tsx': 'export function A() {',
      'src/components/ui/Button.tsx': 'export function Button({ size, ...props }: React.ComponentProps<"button">) {',
    },
    { name: 'Button', path: 'src/components/ui/Button.tsx', hasChildren: true },
  ],
  [
    'with children',
    { 'components/a.tsx': 'export function A({ children, wide = false }: { children: ReactNode; wide?: boolean }) {' },
    { name: 'A' },
  ],
  [
    'with required props',
    { 'components/a.tsx': 'export function A({ children, post }: { children: ReactNode; post: Post }) {' },
    undefined,
  ],
  ['with props of a named type', { 'components/a.tsx': 'export function A({ children }: AProps) {' }, undefined],
  ['with required props in JavaScript', { 'components/a.jsx': 'export function A({ post }) {' }, undefined],
])('a component %s is found if it needs no props', (_, files, component) => {
  const found = partsOf(files).component
  if (component) expect(found).toMatchObject(component)
  else expect(found).toBeUndefined()
})

/** Writes the styleguide of a site on Hono, and returns the colors of its page and its file. */
function readStyleguide(files: Files, type = 'module') {
  const folder = createProject({ 'package.json': { ...manifest, type }, ...files })
  run(folder, ['init', '--yes'])
  const folderOfSetup = Object.keys(files).some((path) => path.startsWith('src/')) ? 'src/' : ''
  const file = `./${folderOfSetup}sitewright-setup/styleguide.${type === 'module' ? 'js' : 'mjs'}`
  const script = `import('${file}')
    .then(({ styleguide }) => styleguide(new Request('http://site.test/styleguide/colors')))
    .then((page) => page.text()).then(console.log)`
  const env = { ...process.env, STYLEGUIDE_ENABLED: 'true' }
  const html = execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8', env })
  return { html, text: readFileSync(join(folder, file), 'utf8') }
}

it.each<[string, Files, string]>([
  [
    'Tailwind 4',
    { 'src/a.css': `@import "tailwindcss"; @theme { ${brand} }`, 'src/index.html': '<title>Silver’s</title>' },
    'module',
  ],
  ['custom properties in CommonJS', { 'public/a.css': ':root { --brand: #7d2c1b }' }, 'commonjs'],
  [
    'Tailwind 3 in CommonJS',
    { 'tailwind.config.js': "module.exports = { theme: { extend: { colors: { brand: '#7d2c1b' } } } }" },
    'commonjs',
  ],
  [
    'Tailwind 3 in an ES module',
    { 'tailwind.config.js': "export default { theme: { extend: { colors: { brand: '#7d2c1b' } } } }" },
    'module',
  ],
  ['design tokens', { 'tokens.json': { brand: { $type: 'color', $value: '#7d2c1b' } } }, 'module'],
])('the written styleguide shows the colors of the site: %s', (_, files, type) => {
  const { html, text } = readStyleguide(files, type)
  expect(html).toContain('brand')
  expect(html).toContain('#7d2c1b')
  expect(html).not.toContain('red-500')
  // CommonJS takes no await outside of a function, and only a page that is an element has a picture on the cover.
  expect(text).not.toMatch(/^(?:const .*|export .*)?await /m)
  expect(text).not.toContain("h('div'")
})

it('the frame of the written styleguide has the colors and the font of the site, as a stylesheet, and init names them', () => {
  const css = `:root { --paper: #faf7f1; --ink: #241c15; ${brand}; --font-sans: Inter, sans-serif }`
  const lines = [
    '--sw-bg: light-dark(#faf7f1, #241c15); /* --paper */',
    '--sw-text: light-dark(#241c15, #faf7f1); /* --ink */',
    '--sw-accent: light-dark(#7d2c1b, #faf7f1); /* --color-brand */',
    '--sw-sans: Inter, sans-serif; /* --font-sans */',
  ]
  const stylesheet = `:root {\n  ${lines.join('\n  ')}\n}`
  const { html, text } = readStyleguide({ 'a.css': css })
  expect(html).toContain('<link rel="stylesheet" href="/sitewright/theme.css"/>')
  expect(text).toContain(stylesheet)

  const folder = createProject({ 'package.json': { dependencies: { next: '16' } }, 'app/a.css': css })
  const { stdout } = run(folder, ['init', '--yes'])
  const theme = 'app/styleguide/[[...slug]]/theme.css'
  expect(readFileSync(join(folder, theme), 'utf8')).toContain(stylesheet)
  for (const line of [`${theme} has your site's colors and fonts`, ...lines]) expect(stdout).toContain(line)
})

it('the written styleguide of a site without styles invents none', () => {
  const { html, text } = readStyleguide({ 'server.js': '' })
  expect(html).toContain('No colors found')
  expect(text).toContain("Give the text of yours: readFileSync('src/site.css', 'utf8')")
})

it('a monorepo’s settings of TypeScript are those that tsconfig.json extends', () => {
  const files = {
    'tsconfig.json': { extends: ['./base.json', 'config/typescript'], compilerOptions: {} },
    'base.json': '{ // strict\n "compilerOptions": { "allowImportingTsExtensions": false, "module": "node16" } }',
    'site/node_modules/config/package.json': { exports: { './typescript': './typescript.json' } },
    'site/node_modules/config/typescript.json': { extends: '../../../ext', compilerOptions: { module: 'nodenext' } },
    'site/tsconfig.json': { extends: 'config/typescript' },
    'site/package.json': {},
    'ext.json': { extends: './ext.json', compilerOptions: { allowImportingTsExtensions: true } },
  }
  const folder = createProject(files)
  expect(inspectProject(join(folder, 'site'), 'express')).toMatchObject({ tsExtensions: true, rejectsEsModules: false })
})

it.each<[string, Files, string[]]>([
  [
    'src/index.ts, with serve',
    {
      'src/api.ts': 'const api = new Hono()',
      'src/index.ts': 'const site = new Hono<Env>()\nserve(site)',
      'tsconfig.json': '{}',
    },
    [
      'src/index.ts, in which',
      "import { sitewright } from './sitewright-setup/index.js'",
      'site.use(sitewright)',
      'npx tsx src/index.ts',
    ],
  ],
  [
    'a server beside src',
    { 'server.mjs': 'export const app = new Hono()', 'src/a.css': '' },
    ['server.mjs, in which', "import { sitewright } from './src/sitewright-setup/index.js'"],
  ],
])('the steps name the existing server: %s', (_, files, lines) => {
  const { stdout } = run(createProject({ 'package.json': manifest, ...files }), ['init', '--dry-run'])
  for (const line of lines) expect(stdout).toContain(line)
  expect(stdout).not.toMatch(/A new|nodeListener/)
})

it('beside the pictures of another framework, images have a prefix of their own', () => {
  const folder = createProject({ 'package.json': { ...manifest, dependencies: { hono: '4', ipx: '3' } } })
  expect(run(folder, ['init', '--yes']).stdout).toContain('http://localhost:3000/_img/')
  const text = readFileSync(join(folder, 'sitewright-setup/images.js'), 'utf8')
  expect(text).toContain("createImages({ prefix: '/_img', sources")
})

it('a framework that has a recipe is told so', () => {
  const folder = createProject({ 'package.json': { dependencies: { astro: '5' } }, 'src/pages/index.astro': '' })
  const { code, stderr } = run(folder, ['init', '--yes'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: astro needs no files of init: .*others\.md/)])
})
