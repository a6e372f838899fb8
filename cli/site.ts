import { readFileSync } from 'node:fs'
import { list, type ProjectFile } from './files.js'
import { dependenciesOf, findPackageManager, findServers, readManifest, toObject } from './project.js'
import { fillSteps, newSecret } from './steps.js'
import { packageVersion, readTemplate } from './templates.js'

const sources = ['server.ts', 'site.tsx', 'site.css']
/**
 * The files of a folder that counts as empty: dot files such as `.git`, lock files, the files of a new repository, and
 * parts of the site after an interrupted run.
 */
const ignored =
  /^(?:\..*|node_modules|media|server\.ts|site\.tsx|site\.css|(?:readme|license)(?:\..*)?|(?:package|package-lock|tsconfig)\.json|pnpm-.*\.yaml|yarn\.lock|bun\.lockb?)$/i

/**
 * Returns the site to write into a folder, or `undefined` if the folder has a project. A package.json without a server
 * does not count as a project.
 *
 * @throws CliError if package.json cannot be read.
 */
export function newSite(folder: string) {
  const names = list(folder)
  const manifest = names.includes('package.json') ? readManifest(folder) : undefined
  const hasSources = sources.every((name) => names.includes(name))
  const hasServer = findServers(dependenciesOf(manifest)).length > 0
  if (!hasSources && (hasServer || !names.every((name) => ignored.test(name)))) return undefined
  const manager = findPackageManager(folder)
  const steps = fillSteps('site/steps.txt', {
    manager,
    start: manager === 'bun' ? 'bun run start' : `${manager} start`,
    unlisted: names.includes('.gitignore') ? '.env' : undefined,
  })
  return { manager, files: siteFiles(manifest), steps }
}

/** Returns the files to write. package.json is last, so that an interrupted run does not leave a project behind. */
function siteFiles(manifest: Record<string, unknown> | undefined): ProjectFile[] {
  const template = (path: string, purpose: string) => ({ path, purpose, text: readTemplate(`site/${path}`) })
  // The photograph of the documentation is used, so that the package has a single copy.
  const photograph = readFileSync(new URL('../../docs/snippets/media/black-canyon.jpg', import.meta.url))
  const environment = readTemplate('env.example').replace('REVALIDATE_SECRET=\n', `REVALIDATE_SECRET=${newSecret()}\n`)
  return [
    template('site.tsx', 'the page, and the styleguide'),
    template('site.css', 'its colors and type, light and dark'),
    template('server.ts', 'serves it: images, cache, revalidation'),
    { path: 'media/black-canyon.jpg', purpose: 'a photograph, no rights reserved', text: photograph },
    template('tsconfig.json', 'for editors and `check`'),
    { path: '.env', purpose: 'a random secret; turns on the styleguide', text: environment },
    { path: '.gitignore', purpose: 'keeps the secret out of git', text: 'node_modules/\n.env\n' },
    manifestFile(manifest),
  ]
}

/**
 * Returns package.json. If there is one without a server, such as that of `npm init`, adds the missing fields to it.
 * The only field that changes is `"type": "commonjs"`, because the folder has no other code.
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
