import type * as fs from 'node:fs'
import { isDevelopment, warnInDevelopment } from '../../core/development.js'

/**
 * Warns in development, once per name. `next dev` reloads modules on each change, and in several processes, so the
 * warning is remembered in an environment variable, which the processes inherit.
 */
export function warnAcrossProcesses(name: string, message: string): void {
  const variable = `SITEWRIGHT_WARNED_${name}`
  if (process.env[variable]) return
  process.env[variable] = '1'
  warnInDevelopment(message)
}

/**
 * Warns in development about a route such as `app/_image/[[...source]]/route.ts`, once in each process. Next.js never
 * routes a folder whose name starts with `_`, and does not say so: its URLs just return 404.
 */
export function warnAboutPrivateFolders(): void {
  if (!isDevelopment()) return
  for (const folder of findPrivateFolders()) {
    const renamed = folder.replace('/_', '/%5F')
    const message = `${folder} is a private folder of Next.js, which answers 404; rename it to ${renamed}`
    warnAcrossProcesses('PRIVATE_FOLDER', message)
  }
}

/** Finds the folders directly in `app` or `src/app` whose name starts with `_` and that contain a catch-all route. */
export function findPrivateFolders(root = '.'): string[] {
  const paths = ['app', 'src/app'].flatMap((app) => listFiles(root, app))
  return paths.flatMap((path) => /^(?:src\/)?app\/_[^/]*(?=\/\[(?:\.\.\.|\[)[^/]*$)/.exec(path)?.[0] ?? [])
}

/** Warns in development about a root layout with a header or a footer, which is also around the styleguide. */
export function warnAboutRootLayout(): void {
  const layout = isDevelopment() ? findLayoutWithHeader() : undefined
  const message = `${layout} has a header or a footer, which is around the styleguide and its previews, too; move it into a route group, such as app/(site): docs/start/next.md shows how`
  if (layout) warnAcrossProcesses('ROOT_LAYOUT', message)
}

/** Finds a root layout with an element that only pages of the site should have. */
export function findLayoutWithHeader(root = '.'): string | undefined {
  const layouts = ['app', 'src/app'].flatMap((app) => ['tsx', 'jsx', 'js'].map((ending) => `${app}/layout.${ending}`))
  // The command `init` has the same pattern.
  const pageParts = /<(?:header|nav|footer|aside)\b|<[\w.]*(?:Header|Nav|Footer|Sidebar)/
  return layouts.find((layout) => pageParts.test(readText(`${root}/${layout}`)))
}

// Not imported, because the next/image loader also runs in browsers.
const findFiles = () => globalThis.process?.getBuiltinModule?.('node:fs') as typeof fs | undefined

/** Returns the paths, from `root`, of all that a folder contains at any depth. Without the folder, the list is empty. */
export function listFiles(root: string, folder: string): string[] {
  const files = findFiles()
  const path = `${root}/${folder}`
  const names = files?.existsSync(path) ? files.readdirSync(path, { recursive: true }) : []
  return names.map((name) => `${folder}/${name}`.replaceAll('\\', '/'))
}

/** Returns the text of a file. Without the file, the text is empty. */
export function readText(file: string): string {
  const files = findFiles()
  return files?.existsSync(file) ? files.readFileSync(file, 'utf8') : ''
}
