import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { posix } from 'node:path'
import type { ProjectFile } from './files.js'
import type { Project } from './project.js'
import { fillStyleguide } from './styleguide-file.js'

const nextFiles = [
  ['images.ts', 'images, resized by sharp'],
  ['image-loader.ts', 'their URLs, for next/image'],
  ['app/%5Fimage/[[...source]]/route.ts', 'serves the images'],
  ['app/api/revalidate/route.ts', 'purges pages and images'],
  ['app/styleguide/[[...slug]]/page.tsx', 'the styleguide'],
  ['app/styleguide/[[...slug]]/theme.css', 'its own colors and fonts'],
  ['app/sitewright/[file]/route.ts', 'serves its script'],
] as const

const pagesFiles = [
  ...nextFiles.slice(0, 2),
  ['pages/api/image/[[...source]].ts', 'serves the images'],
  ['pages/api/revalidate.ts', 'purges pages and images'],
  ['pages/styleguide/[[...slug]].tsx', 'the styleguide'],
  ['pages/api/sitewright/[file].ts', 'serves its script'],
] as const

const serverFiles = [
  ['environment.ts', 'reads .env'],
  ['images.ts', 'images, resized by sharp'],
  ['revalidate.ts', 'caches pages, and purges them'],
  ['styleguide.ts', 'the styleguide'],
] as const

/** Returns the files of a project, in the order in which they are printed. */
export function projectFiles(project: Project): ProjectFile[] {
  const { server, source, typescript, missingLayout, config, next } = project
  const file = (path: string, purpose: string, template: string): ProjectFile => ({
    path: typescript ? path : path.replace(/\.tsx?$/, `.${sourceEnding(project)}`),
    text: fillStyleguide(fillTemplate(template, project), path, project),
    purpose,
  })
  const environment = file('.env.example', 'the environment, explained', 'env.example')
  if (server !== 'next') {
    // The name is not `sitewright`: with a `baseUrl` in tsconfig.json, such a folder would hide the package.
    const folder = `${source}sitewright-setup`
    const index = server === 'hono' ? 'server/hono.ts' : 'server/express.ts'
    return [
      ...serverFiles.map(([name, purpose]) => file(`${folder}/${name}`, purpose, `server/${name}`)),
      file(`${folder}/index.ts`, 'all of them, to mount in one line', index),
      environment,
    ]
  }
  const jsx = typescript ? 'tsx' : 'jsx'
  const hasLayout = missingLayout === undefined || next?.hasPagesOnly
  const layout = `${source}app/${missingLayout}layout.${jsx}`
  // In JavaScript, a file with the ending `.mjs` is an ES module, whatever package.json says.
  const nextConfig = `next.config.${typescript ? 'ts' : 'mjs'}`
  return [
    ...(next?.hasPagesOnly ? pagesFiles : nextFiles).map(([path, purpose]) =>
      file(source + path, purpose, `${templatesOf(project)}/${path}`),
    ),
    ...(hasLayout ? [] : [file(layout, 'a root layout, as there is none here', `next/layout.${jsx}`)]),
    ...(config ? [] : [file(nextConfig, 'names the image loader', 'next/next.config.ts')]),
    environment,
  ]
}

/**
 * Returns the code of a server that mounts the files, and the code of a page with a picture, both without blank lines.
 * For Next.js, only the page is used.
 */
export function stepCode(project: Project): { mount?: string; example?: string } {
  const { server, serverFile } = project
  if (server === 'vite') return {}
  const text = fillTemplate(
    server === 'next' ? `${templatesOf(project)}/example.tsx` : `server/${server}-server.ts`,
    project,
  )
  const code = isCommonJs(project) ? text.replace(/^import (.*) from (.*)$/gm, 'const $1 = require($2)') : text
  const blocks = code.trim().split('\n\n')
  const lines = blocks.slice(0, 2).join('\n').split('\n')
  const ownLines = lines.filter((line) => /\bsitewright [})]|\(sitewright\)/.test(line))
  // The routes of HonoX are added within `createApp`.
  const use = serverFile?.isHonoX ? 'createApp({ init: (app) => app.use(sitewright) })' : `${serverFile?.app}$1`
  const mount = serverFile ? ownLines.map((line) => line.replace(/^app\b(.*)/, use)) : lines
  return { mount: mount.join('\n'), example: blocks.slice(-2).join('\n') }
}

/** Returns the folder of the templates for Next.js. */
function templatesOf({ next }: Project): string {
  return next?.hasPagesOnly ? 'next-pages' : 'next'
}

/** Returns a template with the pictures and the file names of a project. */
function fillTemplate(path: string, project: Project): string {
  const { server, source, media, config, next, imagePrefix } = project
  const basePath = next?.basePath
  // The folder names of `findMedia` contain no quotes, so they can be inserted into a string literal.
  const text = readTemplate(path)
    .replace(/\/media\/(cat\.jpg)?/g, (_, picture) => media.prefix + (picture ? media.picture : ''))
    .replaceAll("'./media'", `'${media.folder}'`)
    .replace('./image-loader.ts', `./${source}image-loader.${sourceEnding(project)}`)
    .replaceAll(`'./${server}.js'`, `'${setupPath(project)}'`)
    .replace(/'(\.\/[\w/-]+)\.js'/g, `'$1.${importEnding(project)}'`)
    .replace(
      'createImages({ sources',
      imagePrefix === '_image' ? '$&' : `createImages({ prefix: '/${imagePrefix}', sources`,
    )
    .replace('`/_image`', `\`/${imagePrefix}\``)
  // With Cache Components, a page that waits for its request must export `instant`. Next.js 15 rejects that export.
  const waits = /\bcacheComponents\s*:\s*true\b/.test(config?.text ?? '')
  const page = waits ? text.replace('export const generateMetadata', 'export const instant = false\n$&') : text
  if (!basePath) return page
  return page
    .replace('({ sources: [', `({ prefix: '${basePath}/_image', sources: [`)
    .replace("({ prefix: '/api/", `({ prefix: '${path.endsWith('image-loader.ts') ? basePath : ''}/api/`)
    .replace(/(?<=(?:src|href): ')\/(?:api\/)?sitewright\//g, `${basePath}$&`)
    .replace(/slug={slug}|(?<=<StyleguidePage ){\.\.\.view}/, `$& prefix="${basePath}/styleguide"`)
}

/** Returns the path of the written `index` for an import in the server's file. */
function setupPath({ source, serverFile }: Project): string {
  const path = posix.relative(
    posix.dirname(serverFile?.path ?? `${source}server.js`),
    `${source}sitewright-setup/index.js`,
  )
  return path.startsWith('.') ? path : `./${path}`
}

/** Returns the ending of source files. Templates have no type annotations, so each is also a JavaScript ES module. */
export function sourceEnding(project: Project): 'ts' | 'js' | 'mjs' {
  return project.typescript ? 'ts' : isCommonJs(project) ? 'mjs' : 'js'
}

export function importEnding(project: Project): string {
  return project.typescript && !project.tsExtensions ? 'js' : sourceEnding(project)
}

/**
 * Whether `.js` files are CommonJS. Their `require` loads ES modules on Node 20.19, 22.12 and later. Next.js compiles
 * ES modules, whatever package.json says.
 */
export function isCommonJs({ server, typescript, type }: Project): boolean {
  return !typescript && type !== 'module' && server !== 'next'
}

/** Returns the text of a template. */
export function readTemplate(path: string): string {
  // In a URL, `%5F` would be decoded to `_`.
  return readFileSync(new URL(`templates/${path.replace('%', '%25')}`, import.meta.url), 'utf8')
}

/** The version of this package. */
export const packageVersion: string = createRequire(import.meta.url)('sitewright/package.json').version
