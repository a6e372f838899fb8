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
    warnAcrossProcesses(
      'PRIVATE_FOLDER',
      `${folder} is a private folder of Next.js, which answers 404; rename it to ${renamed}`,
    )
  }
}

/** Finds the folders directly in `app` or `src/app` whose name starts with `_` and that contain a catch-all route. */
export function findPrivateFolders(root = '.'): string[] {
  // Not imported, because the next/image loader also runs in browsers.
  const files = globalThis.process?.getBuiltinModule?.('node:fs') as typeof fs | undefined
  if (!files) return []
  return ['app', 'src/app'].flatMap((app) => {
    const folder = `${root}/${app}`
    const paths = files.existsSync(folder) ? files.readdirSync(folder, { recursive: true }) : []
    const names = paths.flatMap((path) => /^(_[^\\/]*)[\\/]\[(?:\.\.\.|\[)[^\\/]*$/.exec(`${path}`)?.[1] ?? [])
    return names.map((name) => `${app}/${name}`)
  })
}
