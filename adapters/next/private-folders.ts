import type * as fs from 'node:fs'
import { isDevelopment } from '../../core/development.js'
import { warnAcrossProcesses } from './warn-across-processes.js'

/**
 * Warns in development of a route such as `app/_image/[[...source]]/route.ts`, once in each process. Next.js never routes a
 * folder whose name begins with `_`, and does not say so: its URLs are 404.
 */
export function warnAboutPrivateFolders(): void {
  if (!isDevelopment()) return
  for (const folder of findPrivateFolders()) {
    warnAcrossProcesses(
      'PRIVATE_FOLDER',
      `${folder} is a private folder of Next.js, which answers 404; rename it to ${escapeName(folder)}`,
    )
  }
}

/** Finds the folders directly in `app` or `src/app` whose names begin with `_`, with a route of all paths in them. */
export function findPrivateFolders(root?: string): string[] {
  // Not imported, since the loader of next/image runs in browsers, too.
  const files = globalThis.process?.getBuiltinModule?.('node:fs') as typeof fs | undefined
  if (!files) return []
  const cwd = root ?? process.cwd()
  const isCatchAll = (name: string) => /^\[(?:\.\.\.|\[)/.test(name)
  return ['app', 'src/app'].flatMap((app) =>
    listFolders(files, `${cwd}/${app}`)
      .filter((name) => name.startsWith('_') && listFolders(files, `${cwd}/${app}/${name}`).some(isCatchAll))
      .map((name) => `${app}/${name}`),
  )
}

const listFolders = (files: typeof fs, path: string): string[] =>
  files.existsSync(path)
    ? files.readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    : []

const escapeName = (folder: string) => folder.replace(/\/_([^/]*)$/, '/%5F$1')
