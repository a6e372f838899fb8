import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProjectFile } from './files.js'
import { findPackageManager, findServers, list, namesOf, type PackageManager, readManifest } from './project.js'
import { installLines, purgeStep, type Step } from './steps.js'
import { readTemplate } from './templates.js'

const sources = ['server.ts', 'site.tsx', 'site.css']
const owned = [...sources, 'media', 'tsconfig.json', 'package.json']
/** What an empty folder may have: dot files such as `.git`, lock files, and what a new repository begins with. */
const ignored =
  /^(?:\..*|node_modules|(?:readme|license)(?:\..*)?|package-lock\.json|pnpm-.*\.yaml|yarn\.lock|bun\.lockb?)$/i

const packages = {
  hono: '^4',
  react: '^19',
  'react-dom': '^19',
  sharp: '^0.35',
  sitewright: '',
  tsx: '^4',
  undici: '^7',
}
const developmentPackages = { '@types/node': '^20', '@types/react': '^19', '@types/react-dom': '^19', typescript: '^6' }
const scripts = { dev: 'tsx watch --include site.css server.ts', start: 'tsx server.ts', check: 'tsc' }

/** The smallest complete site, as it is written into an empty folder. */
export interface NewSite {
  manager: PackageManager
  files: ProjectFile[]
  steps: Step[]
}

/**
 * Returns the site to write into a folder, or `undefined` if the folder has a project. A folder counts as empty also if it has a
 * package.json without a server, or a part of the site, as after an interrupted run.
 *
 * @param version The version of this package.
 * @throws CliError when package.json cannot be read.
 */
export function newSite(folder: string, version: string): NewSite | undefined {
  const names = list(folder)
  const manifest = names.includes('package.json') ? readManifest(folder) : undefined
  const isWritten = sources.every((name) => names.includes(name))
  const isEmpty = names.every((name) => owned.includes(name) || ignored.test(name))
  const hasServer = findServers(new Set(namesOf(manifest, 'dependencies', 'devDependencies'))).length > 0
  if (!isWritten && (!isEmpty || hasServer)) return undefined
  const manager = findPackageManager(folder, manifest?.packageManager)
  return {
    manager,
    files: siteFiles(version),
    steps: [...manifestSteps(manifest, manager), ...runSteps(manager, names.includes('.gitignore'))],
  }
}

/** package.json is the last, so that a run that was interrupted before it is not taken for a project. */
function siteFiles(version: string): ProjectFile[] {
  const template = (path: string, purpose: string): ProjectFile => ({
    path,
    text: readTemplate(`site/${path}`),
    purpose,
  })
  const json = (path: string, value: object, purpose: string): ProjectFile => ({
    path,
    text: `${JSON.stringify(value, null, 2)}\n`,
    purpose,
  })
  const secret = randomBytes(24).toString('base64url')
  const environment = readTemplate('env.example').replace('REVALIDATE_SECRET=\n', `REVALIDATE_SECRET=${secret}\n`)
  const dependencies = { ...packages, sitewright: `^${version}` }
  const manifest = { private: true, type: 'module', scripts, dependencies, devDependencies: developmentPackages }
  return [
    template('site.tsx', 'the page, and the styleguide'),
    template('site.css', 'its colors and type, light and dark'),
    template('server.ts', 'serves it: images, cache, revalidation'),
    { path: 'media/black-canyon.jpg', text: readPhotograph(), purpose: 'a photograph, without rights reserved' },
    json('tsconfig.json', { compilerOptions }, 'for editors and `check`'),
    { path: '.env', text: environment, purpose: 'a random secret, and the styleguide on' },
    { path: '.gitignore', text: 'node_modules/\n.env\n', purpose: 'keeps the secret out of git' },
    json('package.json', manifest, 'packages, `start`, `dev` and `check`'),
  ]
}

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  jsx: 'react-jsx',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
}

/** The photograph of the documentation, so that the package has it once. */
function readPhotograph(): Buffer {
  const folder = fileURLToPath(new URL('../../docs/snippets/media', import.meta.url))
  return readFileSync(join(folder, 'black-canyon.jpg'))
}

/** A package.json that was there is not changed, so the user has to add what it lacks. */
function manifestSteps(manifest: Record<string, unknown> | undefined, manager: PackageManager): Step[] {
  if (manifest === undefined) return [{ title: 'Install:', lines: [`${manager} install`] }]
  const installed = new Set(namesOf(manifest, 'dependencies', 'devDependencies'))
  const names = Object.keys(packages).map((name) => (name === 'undici' ? 'undici@7' : name))
  const isSet = manifest.type === 'module' && namesOf(manifest, 'scripts').includes('start')
  const settings = isSet ? [] : [`npm pkg set type=module scripts.start="${scripts.start}"`]
  const lines = [...settings, ...installLines(manager, installed, names, Object.keys(developmentPackages))]
  return lines.length > 0
    ? [{ title: 'package.json exists, so add what it lacks:', lines }]
    : [{ title: 'Install:', lines: [`${manager} install`] }]
}

function runSteps(manager: PackageManager, hasGitignore: boolean): Step[] {
  const origin = 'http://localhost:3000'
  const git = { title: 'In .gitignore, which keeps the secret out of git:', lines: ['node_modules/', '.env'] }
  return [
    ...(hasGitignore ? [git] : []),
    { title: 'Run:', lines: [manager === 'bun' ? 'bun run start' : `${manager} start`] },
    { title: 'Open:', lines: [origin, `${origin}/styleguide`] },
    purgeStep('.env', origin),
  ]
}
