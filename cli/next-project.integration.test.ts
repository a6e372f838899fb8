import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findMatcher } from './next-project.js'
import { inspectProject } from './project.js'
import { readTemplate } from './templates.js'
import { createProject, type Files, listFiles, run } from './testing/project.js'

const inspect = (files: Files) =>
  inspectProject(createProject({ 'package.json': { dependencies: { next: '16' } }, ...files })).next

it.each<[string, Files, object]>([
  ['nothing', {}, { basePath: '', slash: '', layout: undefined, proxy: undefined, matcher: undefined }],
  [
    'a basePath and trailingSlash',
    { 'next.config.ts': 'export default { basePath: "/shop", trailingSlash: true }' },
    { basePath: '/shop', slash: '/' },
  ],
  ['trailingSlash: false', { 'next.config.js': 'module.exports = { trailingSlash: false }' }, { slash: '' }],
  ['a plain layout', { 'app/layout.jsx': '<html><body>{children}</body></html>' }, { layout: undefined }],
  [
    'a layout with a header',
    {
      'src/app/layout.tsx': '<body><SiteHeader />{children}</body>',
      'src/app/page.tsx': '',
      'src/app/favicon.ico': '',
    },
    { layout: 'src/app/layout.tsx', pages: ['"src/app/layout.tsx"', '"src/app/page.tsx"'] },
  ],
  [
    'a proxy that leaves all paths alone',
    { 'src/app/page.tsx': '', 'src/middleware.ts': "export const config = { matcher: ['/', '/(de|en)/:path*'] }" },
    { proxy: 'src/middleware.ts', matcher: undefined },
  ],
  [
    'a redirect of all paths',
    {
      'next.config.js':
        "redirects: async () => [{ source: '/a', destination: '/b' }, { source: '/:path*', destination: '/de/:path*' }]",
    },
    { redirectSource: "'/((?!_image|styleguide|sitewright|api/revalidate).*)'," },
  ],
  [
    'redirects of a host and of other paths',
    {
      'next.config.mjs': `redirects: () => [{ source: '/:path*', has: [{ type: 'host', value: 'old' }], destination: '/' },
        { source: '/blog/:slug', destination: '/:slug' }], rewrites: () => [{ source: '/:path*', destination: '/x' }]`,
    },
    { redirectSource: undefined },
  ],
])('inspectNext reads a project with %s', (_, files, expected) => {
  expect(inspect(files)).toMatchObject(expected)
})

it('the version of sharp is the installed one', () => {
  expect(inspect({})?.sharp).toMatch(/^\d+\.\d+\.\d+$/)
})

it.each<[string, string | undefined]>([
  // next-intl's
  [
    "matcher: '/((?!api|trpc|_next|_vercel|.*\\\\..*).*)'",
    "'/((?!_image|styleguide|sitewright|api|trpc|_next|_vercel|.*\\\\..*).*)',",
  ],
  // with a further pattern, and one that only path-to-regexp can read
  [
    "matcher: ['/((?!_next|[^?]*\\\\.(?:html?)).*)', '/(api|trpc)(.*)', '/:a(']",
    "'/((?!_image|styleguide|sitewright|api/revalidate|_next|[^?]*\\\\.(?:html?)).*)',",
  ],
  ["matcher: [{ source: '/:path*' }]", "'/((?!_image|styleguide|sitewright|api/revalidate).*)',"],
  ["matcher: ['/', '/(de|en)/:path*']", undefined],
  ["matcher: '/((?!_|api/|styleguide|sitewright|.*\\\\.).*)'", undefined],
  ['export default auth', "export const config = { matcher: '/((?!_image|styleguide|sitewright|api/revalidate).*)' }"],
])('findMatcher(%j) is %j', (text, line) => {
  expect(findMatcher(text)).toBe(line)
})

it.each(['^14.2.3', '13', '~12.3', '15.0.4'])(
  'init stops with Next.js %s, and names the version that it needs',
  (version) => {
    // Without a link to the repository's packages.
    const folder = createProject(
      { 'package.json': { dependencies: { next: version } } },
      join(tmpdir(), 'sitewright-projects'),
    )
    const { code, stdout, stderr } = run(folder, ['init', '--yes'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^Error: next: expected 15\.1 or later, got [~^]?[\d.]+\. Upgrade first: npx @next\/codemod upgrade latest\n$/,
    )
  },
)

it('with a basePath, the files and the example have its prefix once', () => {
  const config = { 'next.config.ts': "export default { basePath: '/shop' }", 'tsconfig.json': '{}' }
  const folder = createProject({ 'package.json': { dependencies: { next: '16' } }, ...config })
  const { stdout } = run(folder, ['init', '--yes'])
  expect(stdout).toContain("src: '/shop/media/cat.jpg'")
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8')
  expect(textOf('images.ts')).toContain("sources: { '/shop/media/': './public/media' }")
  expect(textOf('image-loader.ts')).toContain("{ prefix: '/shop/_image', sources: ['/shop/media/'] }")
  const page = textOf('app/styleguide/[[...slug]]/page.tsx')
  expect(page).toContain("src: '/shop/sitewright/styleguide.js'")
  expect(page).toContain('<StyleguidePage {...view} prefix="/shop/styleguide" />')
})

it('the styleguide has no script that next/core-web-vitals rejects', () => {
  // The rule no-sync-scripts looks for a `src` without `async` or `defer`, which fails `next build` on Next.js 15.
  expect(readTemplate('next/app/styleguide/[[...slug]]/page.tsx')).not.toMatch(/<script[^>]*\ssrc/)
})

it.each([
  ['pages', ''],
  ['src/pages', 'src/'],
])('in a site with %s alone, init writes into that folder, and keeps an endpoint that is there', (pages, source) => {
  const folder = createProject({
    'package.json': { dependencies: { next: '16' } },
    'next.config.mjs': "export default { basePath: '/shop' }",
    [`${pages}/index.jsx`]: '',
    [`${pages}/api/revalidate.ts`]: 'mine',
  })
  const { code, stdout } = run(folder, ['init', '--yes'])
  expect(code).toBe(0)
  expect(stdout).toContain(`  · ${pages}/api/revalidate.ts\n`)
  expect(stdout).toContain(`A page with a picture, such as ${pages}/example.jsx:`)
  expect(stdout).toContain('http://localhost:3000/shop/api/image/')
  expect(listFiles(folder).filter((path) => path !== 'package.json' && !path.startsWith('next.config'))).toEqual([
    '.env.example',
    ...[
      `${source}image-loader.js`,
      `${source}images.js`,
      `${pages}/api/image/[[...source]].js`,
      `${pages}/api/revalidate.ts`,
      `${pages}/api/sitewright/[file].js`,
      `${pages}/index.jsx`,
      `${pages}/styleguide/[[...slug]].js`,
    ].sort(),
  ])
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8')
  expect(textOf(`${source}image-loader.js`)).toContain("prefix: '/shop/api/image'")
  expect(textOf(`${source}images.js`)).toContain("prefix: '/api/image'")
  expect(textOf(`${pages}/styleguide/[[...slug]].js`)).toContain("src: '/shop/api/sitewright/styleguide.js'")
})

it('beside an app folder, init writes into it', () => {
  const folder = createProject({
    'package.json': { dependencies: { next: '16' } },
    'pages/a.js': '',
    'app/layout.js': '',
  })
  run(folder, ['init', '--yes'])
  expect(listFiles(folder)).toContain('app/api/revalidate/route.js')
  expect(listFiles(folder).filter((path) => path.startsWith('pages/'))).toEqual(['pages/a.js'])
})
