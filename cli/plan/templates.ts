import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Project } from '../project/project.js'

/** A file to write. */
export interface ProjectFile {
  /** From the project's folder, with slashes. */
  path: string
  text: string
  /** What it is for, in a few words. */
  purpose: string
}

/** Returns the files of a project, in the order in which they are told. */
export function projectFiles(project: Project): ProjectFile[] {
  const files = project.server === 'next' ? nextFiles(project) : serverFiles(project)
  return [...files, { path: '.env.example', text: readTemplate('env.example'), purpose: 'the environment, explained' }]
}

function nextFiles(project: Project): ProjectFile[] {
  const { source, media, typescript, missingLayout, config, cacheComponents } = project
  const file = (path: string, purpose: string): ProjectFile => ({
    path: source + (typescript ? path : path.replace(/\.tsx?$/, '.js')),
    text: withMedia(readTemplate(`next/${path}`), media),
    purpose,
  })
  const layout = (folder: string, purpose: string): ProjectFile => ({
    path: `${source}app/${folder}layout.${typescript ? 'tsx' : 'js'}`,
    text: readTemplate(`next/layout.${typescript ? 'tsx' : 'jsx'}`),
    purpose,
  })
  const nextConfig = {
    // In JavaScript, `.mjs` is an ES module whatever package.json says.
    path: `next.config.${typescript ? 'ts' : 'mjs'}`,
    text: readTemplate('next/next.config.ts').replace('./image-loader.ts', loaderFile(project)),
    purpose: 'names the image loader',
  }
  const page = withColors(file('app/styleguide/[[...slug]]/page.tsx', 'the styleguide'), project)
  return [
    file('images.ts', 'pictures, made by sharp'),
    file('image-loader.ts', 'their URLs, for next/image'),
    file('app/%5Fimage/[[...source]]/route.ts', 'serves the pictures'),
    file('app/api/revalidate/route.ts', 'purges what was published'),
    cacheComponents ? { ...page, text: waitForPage(page.text) } : page,
    file('app/styleguide/script.js/route.ts', 'serves its script'),
    ...(missingLayout === 'root' ? [layout('', 'the root layout, as the app has none')] : []),
    ...(missingLayout === 'styleguide' ? [layout('styleguide/', 'its layout, as there is no common one')] : []),
    ...(config ? [] : [nextConfig]),
  ]
}

/** As `next.config` names it. */
export function loaderFile({ source, typescript }: Project): string {
  return `./${source}image-loader.${typescript ? 'ts' : 'js'}`
}

/** With Cache Components, a page that waits for its request must say so; Next.js 15 does not know the word. */
function waitForPage(text: string): string {
  return text.replace('export const generateMetadata', 'export const instant = false\n$&')
}

function serverFiles(project: Project): ProjectFile[] {
  const { server, source, media, typescript, esm, tsExtensions } = project
  const ending = sourceEnding({ typescript, esm })
  const imported = typescript && !tsExtensions ? 'js' : ending
  const file = (name: string, template: string, purpose: string): ProjectFile => ({
    path: `${source}sitewright/${name}.${ending}`,
    text: withMedia(readTemplate(`server/${template}.ts`), media).replace(/'(\.\/[\w-]+)\.js'/g, `'$1.${imported}'`),
    purpose,
  })
  return [
    file('environment', 'environment', 'reads .env'),
    file('images', 'images', 'pictures, made by sharp'),
    file('revalidate', 'revalidate', 'purges what was published'),
    withColors(file('styleguide', 'styleguide', 'the styleguide'), project),
    file('index', server === 'hono' ? 'hono' : 'express', 'all of them, to mount in one line'),
  ]
}

/** The templates have no types of their own, so each is JavaScript as well, as an ES module. */
export function sourceEnding({ typescript, esm }: Pick<Project, 'typescript' | 'esm'>): string {
  if (typescript) return 'ts'
  return esm ? 'js' : 'mjs'
}

/** Shows the colors of the site's own stylesheet, where there is one, in place of the sample. */
function withColors(file: ProjectFile, { stylesheet }: Project): ProjectFile {
  if (stylesheet === undefined) return file
  const [fileImport, colors] = stylesheetLines(stylesheet)
  const text = file.text.replace(/\/\/ Put your own here.*\nconst colors = .*/, () => colors)
  return { ...file, text: `${fileImport}\n${text}` }
}

/** The lines of a styleguide that reads a stylesheet, which is relative to the folder that the server is started in. */
export function stylesheetLines(stylesheet: string): [fileImport: string, colors: string] {
  return [
    "import { readFileSync } from 'node:fs'",
    `const colors = fromCssVariables(readFileSync(${quote(stylesheet)}, 'utf8')).colors`,
  ]
}

/** Returns text as a string literal, in single quotes as the templates have them: names of files may have any character. */
export function quote(text: string): string {
  const literal = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `'${literal.replaceAll("'", "\\'")}'`
}

function withMedia(text: string, { prefix, folder }: Project['media']): string {
  return text.replaceAll('/media/', () => prefix).replaceAll("'./media'", () => quote(folder))
}

function readTemplate(path: string): string {
  // Not as a URL: in one, `%5F` would be `_`.
  return readFileSync(join(fileURLToPath(new URL('../templates', import.meta.url)), path), 'utf8')
}
