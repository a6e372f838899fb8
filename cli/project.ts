import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { CliError, usageError } from './arguments.js'
import { list, read } from './files.js'
import { inspectNext } from './next-project.js'
import { inspectParts, listOwnFiles } from './styles.js'

/** If a project has several servers, the first of this list counts. For Hono and Express, the user must choose. */
const servers = ['next', 'hono', 'express', 'vite'] as const

export type Server = (typeof servers)[number]

/** The project that files are written into. Paths are relative to the project's folder, with forward slashes. */
export type Project = ReturnType<typeof inspectProject>

/**
 * Inspects the project in a folder. Reads files, and writes no files.
 *
 * @param serverOption The name of the server. Default: detected from the dependencies.
 * @throws CliError if package.json cannot be read or does not determine the server.
 */
export function inspectProject(folder: string, serverOption?: string) {
  const manifest = readManifest(folder)
  const dependencies = dependenciesOf(manifest)
  const server = chooseServer(dependencies, serverOption)
  const source = findSource(folder, server)
  const config = findConfig(folder, server)
  const paths = listOwnFiles(folder)
  const appNames = list(join(folder, `${source}app`))
  const next =
    server === 'next' ? inspectNext(folder, source, config?.text ?? '', versionsOf(manifest).next, appNames) : undefined
  return {
    server,
    manager: findPackageManager(folder),
    dependencies,
    /** `scripts` of package.json. */
    scripts: toObject(manifest.scripts),
    /** `type` of package.json. */
    type: manifest.type,
    ...readTsconfig(folder, manifest.type),
    /** The folder of source files, `''` or `src/`. */
    source,
    media: findMedia(folder, server, next?.basePath),
    /** The first part of the paths of images. These frameworks have pictures of their own at `/_image`. */
    imagePrefix: ['astro', 'nuxt', 'ipx'].some((name) => dependencies.has(name)) ? '_img' : '_image',
    serverFile: findServerFile(folder, server, paths),
    /** A file of the site that has the path of the endpoint. */
    takenBy: findEndpoint(folder, paths),
    /** The parts of the site that the styleguide shows. */
    parts: inspectParts(folder, paths, server === 'next'),
    config,
    /** The properties of projects of Next.js alone. */
    next,
    /**
     * For Next.js, the folder, relative to `app`, in which the styleguide needs a layout with `<html>`; `undefined` if
     * the styleguide has a layout.
     */
    missingLayout: server === 'next' ? findMissingLayout(join(folder, `${source}app`)) : undefined,
  }
}

/**
 * Reads package.json.
 *
 * @throws CliError if package.json does not exist or is not JSON.
 */
export function readManifest(folder: string): Record<string, unknown> {
  const path = join(folder, 'package.json')
  if (!existsSync(path))
    throw new CliError(`No package.json in ${folder}. Run this in the folder of your project, or in an empty one.`)
  try {
    // npm accepts the byte order mark that editors on Windows write.
    return toObject(JSON.parse(read(path).replace(/^\uFEFF/, '')))
  } catch (error) {
    throw new CliError(`package.json: ${(error as Error).message}`)
  }
}

/** Returns the names of the packages in package.json. */
export function dependenciesOf(manifest: Record<string, unknown> | undefined): ReadonlySet<string> {
  return new Set(Object.keys(versionsOf(manifest)))
}

/** Returns the versions of the packages in package.json, by name. */
function versionsOf(manifest: Record<string, unknown> | undefined): Record<string, unknown> {
  return { ...toObject(manifest?.dependencies), ...toObject(manifest?.devDependencies) }
}

/** Returns the known servers among the dependencies. */
export function findServers(dependencies: ReadonlySet<string>): Server[] {
  return servers.filter((name) => dependencies.has(name))
}

/** The packages of the frameworks that have a recipe. */
const recipes = ['astro', 'fastify', 'nitro', '@react-router/dev', '@sveltejs/kit', '@tanstack/react-start']

function chooseServer(dependencies: ReadonlySet<string>, option: string | undefined): Server {
  const chosen = servers.find((name) => name === option)
  if (chosen) return chosen
  if (option !== undefined) throw usageError(`--server: expected one of ${servers.join(', ')}, got '${option}'`)
  const recipe = recipes.find((name) => dependencies.has(name))
  if (recipe)
    throw new CliError(
      `${recipe} needs no files of init: copy the recipe of node_modules/sitewright/dist/docs/start/others.md. To write the files anyway: --server ${servers.join('|')}.`,
    )
  const [server, secondServer] = findServers(dependencies)
  if (server === undefined)
    throw new CliError(`package.json names no server that is known: choose one with --server ${servers.join('|')}.`)
  if (server === 'hono' && secondServer === 'express')
    throw new CliError('package.json names hono and express: choose one with --server hono|express.')
  if (server === 'hono' && dependencies.has('wrangler'))
    throw new CliError('Cloudflare Workers have neither sharp nor folders. For Hono on Node: --server hono.')
  return server
}

const lockFiles = { npm: 'package-lock.json', pnpm: 'pnpm-lock.yaml', yarn: 'yarn.lock', bun: 'bun.lock' }

/**
 * Returns the package manager of the lock file, which in a monorepo is in a parent folder. Without a lock file, returns
 * the manager that runs this command. Default: npm.
 */
export function findPackageManager(folder: string): string {
  const managers = Object.entries(lockFiles)
  const [manager] = managers.find(([, file]) => existsSync(join(folder, file))) ?? []
  if (manager) return manager
  // A lock file above the repository belongs to another project.
  if (dirname(folder) !== folder && !existsSync(join(folder, '.git'))) return findPackageManager(dirname(folder))
  const [running = 'npm'] = managers.find(([name]) => process.env.npm_config_user_agent?.startsWith(`${name}/`)) ?? []
  return running
}

/** Reads tsconfig.json and the files that it extends with patterns, because they may have comments. */
function readTsconfig(folder: string, type: unknown) {
  const texts = readExtended(join(folder, 'tsconfig.json'))
  const setting = (name: string) => {
    const values = texts.map((text) => new RegExp(`"${name}"\\s*:\\s*"?(\\w+)`).exec(text)?.[1]?.toLowerCase())
    return values.find((value) => value !== undefined)
  }
  return {
    typescript: existsSync(join(folder, 'tsconfig.json')),
    /** Whether imports of TypeScript files end in `.ts`. */
    tsExtensions: [setting('allowImportingTsExtensions'), setting('rewriteRelativeImportExtensions')].includes('true'),
    /** Whether TypeScript rejects imports of ES modules, as `"module": "node16"` does in a CommonJS package. */
    rejectsEsModules: type !== 'module' && /^node1[68]$/.test(setting('module') ?? ''),
  }
}

/** Returns the texts of a configuration and of those that it extends, in the order in which a setting is looked for. */
function readExtended(path: string, depth = 0): string[] {
  const text = read(path)
  const [, extended = ''] = /"extends"\s*:\s*(\[[^[\]]*\]|"[^"]*")/.exec(text) ?? []
  const names = Array.from(extended.matchAll(/"([^"]+)"/g), ([, name = '']) => name).reverse()
  // A circle of configurations is an error of TypeScript, too.
  const bases = depth > 8 ? [] : names.flatMap((name) => resolveConfig(path, name) ?? [])
  return [text, ...bases.flatMap((base) => readExtended(base, depth + 1))]
}

function resolveConfig(path: string, name: string): string | undefined {
  const { resolve } = createRequire(path)
  for (const candidate of [name, `${name}.json`, `${name}/tsconfig.json`]) {
    try {
      return resolve(candidate)
    } catch {} // the next form of the name
  }
  return undefined
}

/** Finds the file that creates the app: the one that also starts it, or else the outermost. */
function findServerFile(folder: string, server: Server, paths: readonly string[]) {
  if (server !== 'hono' && server !== 'express') return undefined
  const app =
    /(?:\b(?:const|let|var) (\w+)(?:: ?[\w<>]+)? = |export default )(?:new (?:OpenAPI)?Hono\b|createApp\(|express\(\)|require\('express'\)\(\))/
  const candidates = paths.filter((path) => /^(?:[^/]+\/){0,2}[^/]+\.(?:[cm]?[jt]s|[jt]sx)$/.test(path))
  const files = candidates.flatMap((path) => {
    const text = read(join(folder, path))
    const creation = app.exec(text)
    const isStarted = /\bserve\(|\blisten\(|\bcreateServer\(/.test(text)
    return creation ? [{ path, app: creation[1] ?? 'app', isStarted, isHonoX: text.includes('honox/server') }] : []
  })
  return files.find(({ isStarted }) => isStarted) ?? files[0]
}

/** Finds a file that names the path of the endpoint, or is Next.js' route of this path, and is not one of init. */
function findEndpoint(folder: string, paths: readonly string[]): string | undefined {
  const isRoute = (path: string) => /\bapi\/revalidate(?:\/route)?\.\w+$/.test(path)
  const namesRoute = (text: string) => /['"`]\/api\/revalidate(?![\w-])/.test(text)
  const texts = paths.flatMap((path) => (/\.[cm]?[jt]sx?$/.test(path) ? { path, text: read(join(folder, path)) } : []))
  return texts.find(({ path, text }) => (isRoute(path) || namesRoute(text)) && !text.includes('sitewright'))?.path
}

function findSource(folder: string, server: Server) {
  const exists = (path: string) => existsSync(join(folder, path))
  if (server !== 'next') return exists('src') ? 'src/' : ''
  // Next.js ignores `src/app` if there is an `app` folder.
  return !exists('app') && (exists('src/app') || exists('src/pages')) ? 'src/' : ''
}

/**
 * Finds the folder of pictures, the prefix of their URLs, and the name of a picture: an existing one, or one to add.
 */
function findMedia(folder: string, server: Server, basePath = '') {
  const usual = ['public/media', 'public/images', 'public/img', 'public/photos', 'media', 'images', 'static/images']
  const created = server === 'express' || server === 'hono' ? 'media' : 'public/media'
  const mediaFolder = usual.find((path) => existsSync(join(folder, path))) ?? created
  const picture = list(join(folder, mediaFolder)).find((name) => /\.(?:jpe?g|png|webp|avif|gif)$/i.test(name))
  const prefix = `${basePath}/${mediaFolder.split('/').at(-1)}/`
  return { folder: `./${mediaFolder}`, prefix, picture: picture ?? 'cat.jpg', hasPicture: picture !== undefined }
}

/** Finds `next.config` or `vite.config`, with any ending. */
function findConfig(folder: string, server: Server) {
  const path = list(folder).find((name) => name.startsWith(`${server}.config.`))
  return path === undefined ? undefined : { path, text: read(join(folder, path)) }
}

/**
 * Finds the folder that lacks a layout. `<html>` is in `app/layout`, or in a layout in each folder, such as
 * `app/(site)/layout` and `app/[lang]/layout`. In the second case, the styleguide needs a separate layout.
 */
function findMissingLayout(app: string) {
  const layouts = list(app, true).filter((path) => /(?:^|[/\\])layout\.[jt]sx?$/.test(path))
  const withHtml = layouts.filter((path) => /<html\b/.test(read(join(app, path))))
  // A root layout may leave `<html>` to a component.
  const candidates = withHtml.length > 0 ? withHtml : layouts
  if (candidates.some((path) => path.startsWith('layout.'))) return undefined
  return layouts.length > 0 ? 'styleguide/' : ''
}

/** Returns a copy of an object; for any other value, returns an empty object. */
export function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
