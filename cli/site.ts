import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProjectFile } from './files.js'
import {
  findPackageManager,
  findServers,
  list,
  namesOf,
  type PackageManager,
  readManifest,
  toObject,
} from './project.js'
import { purgeStep, type Step } from './steps.js'
import { packageVersion, readTemplate } from './templates.js'

const sources = ['server.ts', 'site.tsx', 'site.css']
const written = [...sources, 'media', 'tsconfig.json', 'package.json']
/**
 * Names that an empty folder may have: dot files such as `.git`, lock files, and the files that a new repository begins
 * with.
 */
const ignored =
  /^(?:\..*|node_modules|(?:readme|license)(?:\..*)?|package-lock\.json|pnpm-.*\.yaml|yarn\.lock|bun\.lockb?)$/i

/** The smallest complete site, as it is written into an empty folder. */
export interface NewSite {
  manager: PackageManager
  files: ProjectFile[]
  steps: Step[]
}

/**
 * Returns the site to write into a folder, or `undefined` if the folder has a project. A folder also counts as empty if
 * it has a package.json without a server, or a part of the site, as after an interrupted run.
 *
 * @throws CliError when package.json cannot be read.
 */
export function newSite(folder: string): NewSite | undefined {
  const names = list(folder)
  const manifest = names.includes('package.json') ? readManifest(folder) : undefined
  const isWritten = sources.every((name) => names.includes(name))
  const isEmpty = names.every((name) => written.includes(name) || ignored.test(name))
  const hasServer = findServers(new Set(namesOf(manifest, 'dependencies', 'devDependencies'))).length > 0
  if (!isWritten && (!isEmpty || hasServer)) return undefined
  const manager = findPackageManager(folder, manifest?.packageManager)
  return {
    manager,
    files: siteFiles(manifest),
    steps: [...(names.includes('.gitignore') ? [gitStep] : []), ...runSteps(manager)],
  }
}

/** package.json comes last, so that the folder of an interrupted run is not taken for a project. */
function siteFiles(manifest: Record<string, unknown> | undefined): ProjectFile[] {
  const template = (path: string, purpose: string): ProjectFile => ({
    path,
    text: readTemplate(`site/${path}`),
    purpose,
  })
  const secret = randomBytes(24).toString('base64url')
  const environment = readTemplate('env.example').replace('REVALIDATE_SECRET=\n', `REVALIDATE_SECRET=${secret}\n`)
  return [
    template('site.tsx', 'the page, and the styleguide'),
    template('site.css', 'its colors and type, light and dark'),
    template('server.ts', 'serves it: images, cache, revalidation'),
    { path: 'media/black-canyon.jpg', text: readPhotograph(), purpose: 'a photograph, no rights reserved' },
    template('tsconfig.json', 'for editors and `check`'),
    { path: '.env', text: environment, purpose: 'a random secret, and the styleguide on' },
    { path: '.gitignore', text: 'node_modules/\n.env\n', purpose: 'keeps the secret out of git' },
    manifestFile(manifest),
  ]
}

/**
 * Returns package.json. If it exists without a server, as `npm init` writes it, the missing fields are added. Only one
 * existing field is changed: `"type": "commonjs"`, because the folder has no other code.
 */
function manifestFile(manifest: Record<string, unknown> | undefined): ProjectFile {
  const { scripts, dependencies, devDependencies } = JSON.parse(readTemplate('site/manifest.json'))
  const merged = {
    ...(manifest ?? { private: true }),
    type: 'module',
    scripts: { ...scripts, ...toObject(manifest?.scripts) },
    dependencies: { ...dependencies, sitewright: `^${packageVersion}`, ...toObject(manifest?.dependencies) },
    devDependencies: { ...devDependencies, ...toObject(manifest?.devDependencies) },
  }
  const path = 'package.json'
  const text = toJson(merged)
  if (!manifest) return { path, text, purpose: 'packages, `start`, `dev` and `check`' }
  return { path, text, purpose: 'adds packages, `start`, `dev`, `check`', edits: text !== toJson(manifest) }
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Returns the photograph from the documentation, so that the package has it only once. */
function readPhotograph(): Buffer {
  const folder = fileURLToPath(new URL('../../docs/snippets/media', import.meta.url))
  return readFileSync(join(folder, 'black-canyon.jpg'))
}

const gitStep: Step = { title: 'In .gitignore, which exists, to keep the secret out of git:', lines: ['.env'] }

function runSteps(manager: PackageManager): Step[] {
  const origin = 'http://localhost:3000'
  return [
    {
      title: 'Install and run:',
      lines: [`${manager} install`, manager === 'bun' ? 'bun run start' : `${manager} start`],
    },
    { title: 'Open:', lines: [origin, `${origin}/styleguide`] },
    purgeStep('.env', origin),
  ]
}
