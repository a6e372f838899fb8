import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isIgnored } from './git.js'
import { inspectLayouts, type Layouts } from './next-layouts.js'
import type { PackageJson } from './package-json.js'
import { findPackageManager, type PackageManager } from './package-manager.js'
import type { Server } from './server.js'
import { findFile, findServerFile, type SourceFile } from './server-file.js'
import { findStylesheet, usesFiles } from './site-files.js'

/** What is known of the project that files are written into. Paths are relative to `folder`, with slashes. */
export interface Project extends Layouts {
  folder: string
  server: Server
  typescript: boolean
  /** Whether `.js` files are ES modules. */
  esm: boolean
  /** As package.json has it. */
  type: PackageJson['type']
  scripts: PackageJson['scripts']
  manager: PackageManager
  dependencies: ReadonlySet<string>
  /** Where source files are: `''` or `'src/'`. */
  source: string
  /** The file that creates the server. */
  serverFile: SourceFile | undefined
  /** `next.config` or `vite.config`. */
  config: SourceFile | undefined
  /** Where the pictures are: the prefix of their URLs, and their folder. */
  media: { prefix: string; folder: string }
  /** The name of a picture in that folder. */
  picture: string | undefined
  /** Names of what the `.env` files set to more than an empty text. */
  environment: ReadonlySet<string>
  /** The file of the environment: Next.js reads `.env.local`; the other servers' files read `.env`. */
  environmentFile: '.env' | '.env.local'
  /** Whether git ignores that file; `undefined` without a repository. */
  ignoresEnvironment: boolean | undefined
  /** A stylesheet with colors as custom properties. */
  stylesheet: string | undefined
  /** The file of the styleguide, once it is written. */
  styleguide: SourceFile | undefined
  /** Whether a file of the site uses the images or the cache that were written. */
  usesFiles: boolean
  /** Whether Next.js' `cacheComponents` is on. */
  cacheComponents: boolean
  /** Whether TypeScript's `moduleResolution` is one that reads `exports`, which all of the package's types need. */
  findsTypes: boolean
  /** Whether imports of TypeScript files end in `.ts`. */
  tsExtensions: boolean
}

/** Looks at the project of a folder. It reads files, and writes none. */
export function inspectProject(folder: string, server: Server, packageJson: PackageJson): Project {
  const serverFile = findServerFile(folder, server, packageJson)
  const source = findSource(folder, server, serverFile)
  const config = server === 'next' || server === 'vite' ? findFile(folder, `${server}.config`) : undefined
  const media = findMedia(folder, server)
  const typescript = existsSync(join(folder, 'tsconfig.json'))
  const environmentFile = server === 'next' ? '.env.local' : '.env'
  const tsconfig = readText(join(folder, 'tsconfig.json'))
  return {
    folder,
    server,
    typescript,
    esm: packageJson.type === 'module',
    type: packageJson.type,
    scripts: packageJson.scripts,
    manager: findPackageManager(folder, packageJson.packageManager),
    dependencies: packageJson.dependencies,
    source,
    serverFile,
    config,
    media,
    picture: findPicture(join(folder, media.folder)),
    environment: readEnvironment(folder, environmentFile),
    environmentFile,
    ignoresEnvironment: isIgnored(folder, environmentFile),
    stylesheet: findStylesheet(folder),
    styleguide: findFile(
      folder,
      `${source}${server === 'next' ? 'app/styleguide/[[...slug]]/page' : 'sitewright/styleguide'}`,
    ),
    usesFiles: usesFiles(folder, server),
    ...inspectLayouts(folder, `${source}app`),
    cacheComponents: /\bcacheComponents\s*:\s*true\b/.test(config?.text ?? ''),
    findsTypes: !/"moduleResolution"\s*:\s*"(?:node|node10|classic)"/i.test(tsconfig),
    tsExtensions: /"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(tsconfig),
  }
}

/** Next.js ignores `src/app` as soon as there is `app`; elsewhere the files go beside the server's. */
function findSource(folder: string, server: Server, serverFile: SourceFile | undefined): string {
  if (serverFile) return serverFile.path.startsWith('src/') ? 'src/' : ''
  if (server !== 'next') return existsSync(join(folder, 'src')) ? 'src/' : ''
  if (existsSync(join(folder, 'app'))) return ''
  return existsSync(join(folder, 'src/app')) || existsSync(join(folder, 'src/pages')) ? 'src/' : ''
}

function findMedia(folder: string, server: Server): Project['media'] {
  const there = ['public/media', 'public/images', 'public/img', 'public/photos', 'media', 'images', 'static/images']
  const usual = server === 'express' || server === 'hono' ? 'media' : 'public/media'
  const found = there.find((path) => existsSync(join(folder, path))) ?? usual
  return { prefix: `/${found.split('/').at(-1)}/`, folder: `./${found}` }
}

function findPicture(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  return readdirSync(folder).find((name) => /\.(?:jpe?g|png|webp|avif|gif)$/i.test(name))
}

function readEnvironment(folder: string, file: Project['environmentFile']): ReadonlySet<string> {
  const text = ['.env', file].map((name) => readText(join(folder, name))).join('\n')
  return new Set(Array.from(text.matchAll(/^[ \t]*(?:export )?(\w+)\s*=[ '"]*[^\s'"#]/gm), ([, name = '']) => name))
}

/** The text of a file; of what is missing or a folder, an empty one. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
