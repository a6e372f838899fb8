import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProjectFile } from './files.js'
import type { Project } from './project.js'

/** Not `sitewright`, because with a `baseUrl` in tsconfig.json, a folder of that name would hide the package. */
const setupFolder = 'sitewright-setup'

/** Returns the files of a project, in the order in which they are printed. */
export function projectFiles(project: Project): ProjectFile[] {
  const files = project.server === 'next' ? nextFiles(project) : serverFiles(project)
  const environment = { path: '.env.example', text: readTemplate('env.example'), purpose: 'the environment, explained' }
  return [...files, environment]
}

function nextFiles(project: Project): ProjectFile[] {
  const { source, typescript, missingLayout, config } = project
  const file = (path: string, purpose: string): ProjectFile => ({
    path: source + (typescript ? path : path.replace(/\.tsx?$/, '.js')),
    text: withMedia(readTemplate(`next/${path}`), project),
    purpose,
  })
  const layout = (folder: string): ProjectFile => ({
    path: `${source}app/${folder}layout.${typescript ? 'tsx' : 'js'}`,
    text: readTemplate(`next/layout.${typescript ? 'tsx' : 'jsx'}`),
    purpose: 'a root layout, as there is none here',
  })
  const nextConfig: ProjectFile = {
    // In JavaScript, `.mjs` is an ES module whatever package.json says.
    path: `next.config.${typescript ? 'ts' : 'mjs'}`,
    text: readTemplate('next/next.config.ts').replace('./image-loader.ts', loaderFile(project)),
    purpose: 'names the image loader',
  }
  return [
    file('images.ts', 'images, resized by sharp'),
    file('image-loader.ts', 'their URLs, for next/image'),
    file('app/%5Fimage/[[...source]]/route.ts', 'serves the images'),
    file('app/api/revalidate/route.ts', 'purges pages and images'),
    waitForRequest(file('app/styleguide/[[...slug]]/page.tsx', 'the styleguide'), project),
    file('app/sitewright/[file]/route.ts', 'serves its script'),
    ...(missingLayout === undefined ? [] : [layout(missingLayout)]),
    ...(config ? [] : [nextConfig]),
  ]
}

/** Returns the image loader's path as it is written in `next.config`. */
export function loaderFile({ source, typescript }: Project): string {
  return `./${source}image-loader.${typescript ? 'ts' : 'js'}`
}

/**
 * With Cache Components, a page that waits for its request must export `instant = false`. Next.js 15 rejects that
 * export.
 */
function waitForRequest(file: ProjectFile, { config }: Project): ProjectFile {
  if (!/\bcacheComponents\s*:\s*true\b/.test(config?.text ?? '')) return file
  return {
    ...file,
    text: String(file.text).replace('export const generateMetadata', 'export const instant = false\n$&'),
  }
}

function serverFiles(project: Project): ProjectFile[] {
  const { server, source } = project
  const file = (name: string, purpose: string, template = name): ProjectFile => ({
    path: `${source}${setupFolder}/${name}.${sourceEnding(project)}`,
    text: withMedia(readTemplate(`server/${template}.ts`), project).replace(
      /'(\.\/[\w-]+)\.js'/g,
      `'$1.${importEnding(project)}'`,
    ),
    purpose,
  })
  return [
    file('environment', 'reads .env'),
    file('images', 'images, resized by sharp'),
    file('revalidate', 'caches pages, and purges them'),
    file('styleguide', 'the styleguide'),
    file('index', 'all of them, to mount in one line', server === 'hono' ? 'hono' : 'express'),
  ]
}

/** Returns the path by which a server file beside the setup folder imports it. */
export function setupModule(project: Project): string {
  return `./${setupFolder}/index.${importEnding(project)}`
}

/** Returns the path of a file in the setup folder. */
export function setupFile(project: Project, name: string): string {
  return `${project.source}${setupFolder}/${name}.${sourceEnding(project)}`
}

/** Templates have no type annotations, so each of them is also valid JavaScript (an ES module). */
export function sourceEnding({ typescript, type }: Project): 'ts' | 'js' | 'mjs' {
  if (typescript) return 'ts'
  return type === 'module' ? 'js' : 'mjs'
}

function importEnding(project: Project): string {
  return project.typescript && !project.tsExtensions ? 'js' : sourceEnding(project)
}

/** The folder names that are searched for contain no quotes, so they can be inserted into a string literal. */
function withMedia(text: string, { media }: Project): string {
  return text.replaceAll('/media/', media.prefix).replaceAll("'./media'", `'${media.folder}'`)
}

/** The name of the picture in the examples, if the project has none. */
export const pictureName = 'cat.jpg'

/**
 * Returns the code of the steps: imports and body of a server (except on Next.js), then imports and body of a page with
 * a picture. Each block is a list of lines.
 */
export function codeBlocks(project: Project): string[][] {
  const { server, media } = project
  const path = server === 'next' ? 'next/example.tsx' : `server/${server}-server.ts`
  const text = withMedia(readTemplate(path), project)
    .replace(pictureName, () => media.picture ?? pictureName)
    .replaceAll(`'./${server}.js'`, `'${setupModule(project)}'`)
  const code =
    isCommonJs(project) && server !== 'next'
      ? text.replace(/^import (.*) from (.*)$/gm, 'const $1 = require($2)')
      : text
  return code
    .trim()
    .split('\n\n')
    .map((block) => block.split('\n'))
}

/** Whether `.js` files are CommonJS. Their `require` loads ES modules on Node 20.19, 22.12 and later. */
export function isCommonJs({ typescript, type }: Project): boolean {
  return !typescript && type !== 'module'
}

/** Returns the text of a template. */
export function readTemplate(path: string): string {
  // Joined as a path, because in a URL `%5F` would be decoded to `_`.
  return readFileSync(join(fileURLToPath(new URL('templates', import.meta.url)), path), 'utf8')
}

const { version } = createRequire(import.meta.url)('sitewright/package.json') as { version: string }

/** The version of this package. */
export { version as packageVersion }
