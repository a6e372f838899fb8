import { existsSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import type { PackageJson } from './package-json.js'
import type { Server } from './server.js'

/** A file of the user's: its path from the project's folder, and its text. */
export interface SourceFile {
  path: string
  text: string
}

const folders = ['', 'src/', 'server/', 'app/']
const names = ['server', 'index', 'app', 'main', 'entry-server']
const endings = ['ts', 'tsx', 'mts', 'js', 'mjs', 'cjs', 'jsx']

const marks: Record<Server, RegExp> = {
  next: /$^/,
  hono: /new (?:OpenAPI)?Hono\b/,
  express: /\bexpress(?:['"]\))?\(/,
  vite: /\bcreateServer\(/,
}

/**
 * Finds the file that creates the server: the one that package.json names, else one of the usual names, whose text has
 * what creates such a server. `undefined` when there is none.
 */
export function findServerFile(folder: string, server: Server, { main, scripts }: PackageJson): SourceFile | undefined {
  const named = [...Object.values(scripts), main ?? ''].flatMap((text) => text.match(/[\w./-]+\.[cm]?[jt]sx?\b/g) ?? [])
  const usual = folders.flatMap((at) => names.flatMap((name) => endings.map((ending) => `${at}${name}.${ending}`)))
  for (const path of new Set([...named, ...usual].map((path) => normalize(path).replaceAll('\\', '/')))) {
    const text = readSource(folder, path)
    if (text !== undefined && marks[server].test(text)) return { path, text }
  }
  return undefined
}

/** Finds `name.ts`, `name.js` or the like. */
export function findFile(folder: string, name: string): SourceFile | undefined {
  for (const ending of endings) {
    const text = readSource(folder, `${name}.${ending}`)
    if (text !== undefined) return { path: `${name}.${ending}`, text }
  }
  return undefined
}

function readSource(folder: string, path: string): string | undefined {
  // Built code is no place to write in.
  if (/^(?:\.\.|dist|build|node_modules)\//.test(path) || !existsSync(join(folder, path))) return undefined
  try {
    return readFileSync(join(folder, path), 'utf8')
  } catch {
    return undefined // a folder of that name
  }
}
