import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describeError } from '../../core/log.js'
import { createRequire } from '../node/create-require.js'

interface LoadedStylesheet {
  path: string
  base: string
  content: string
}

// In a circle of @imports where each file imports two others, the number of imports would double endlessly.
const maxImports = 1_000

/**
 * Creates the function that loads the stylesheet of an `@import`: from a file, else from a package that exports one.
 */
export function createStylesheetLoader(): (id: string, base: string) => Promise<LoadedStylesheet> {
  const counts = new Map<string, number>()
  let imports = 0

  return async (id, base) => {
    const path = await findStylesheet(id, base)
    if (!path) {
      throw new Error(
        `@import "${id}" is neither a file nor a package's stylesheet; resolved from ${base}. Next.js with output: 'standalone' copies only those in outputFileTracingIncludes`,
      )
    }
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    if (++imports > maxImports) {
      const lastImport = count > 1 ? `${path} ${count} times: is it an @import circle?` : `the last of them ${path}`
      throw new Error(`more than ${maxImports} stylesheets are imported, ${lastImport}`)
    }
    // The comment tells Turbopack not to trace the whole project, which it would do because it does not know the file.
    const bytes = await readFile(/* turbopackIgnore: true */ path)
    return { path, base: dirname(path), content: decode(bytes) }
  }
}

/** Decodes a stylesheet by its byte order mark, else as UTF-8 (CSS Syntax 3, section 3.2). */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

async function findStylesheet(id: string, base: string): Promise<string | undefined> {
  const path = id.startsWith('file:') ? fileURLToPath(id) : resolve(base, id)
  for (const file of [path, `${path}.css`]) if (await isFile(file)) return file
  const [, name, subpath = ''] = /^((?:@[^/]+\/)?[^./@][^/]*)(?:\/(.+))?$/.exec(id) ?? []
  return name && findInPackage(name, subpath, base)
}

async function findInPackage(name: string, subpath: string, base: string): Promise<string | undefined> {
  const root = join(base, 'node_modules', name)
  const manifest = join(root, 'package.json')
  if (await isFile(manifest)) {
    const style = resolveStyleExport(JSON.parse(await readFile(manifest, 'utf8')), subpath)
    for (const file of [style, subpath, `${subpath}.css`]) {
      if (file && (await isFile(join(root, file)))) return join(root, file)
    }
  }
  const parent = dirname(base)
  return parent === base ? undefined : findInPackage(name, subpath, parent)
}

/**
 * Returns the stylesheet that a package exports, relative to the package's folder. Reads `exports` with the condition
 * `style`, else the field `style`.
 *
 * @param manifest The parsed `package.json`.
 * @param subpath The part of the `@import` after the package name; `''` for the package itself.
 * @example
 * resolveStyleExport({ exports: { '.': { style: './index.css', import: './index.js' } } }, '') // './index.css'
 */
function resolveStyleExport(manifest: unknown, subpath: string): string | undefined {
  const exports = ownProperty(manifest, 'exports')
  const target = ownProperty(exports, subpath ? `./${subpath}` : '.') ?? (subpath ? undefined : exports)
  return cssTarget(target) ?? (subpath ? undefined : (cssTarget(ownProperty(manifest, 'style')) ?? 'index.css'))
}

function cssTarget(target: unknown): string | undefined {
  if (typeof target === 'string') return target.endsWith('.css') ? target : undefined
  const nextTarget = ownProperty(target, 'style') ?? ownProperty(target, 'default')
  return nextTarget === undefined ? undefined : cssTarget(nextTarget)
}

function ownProperty(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}

// biome-ignore lint/suspicious/noExplicitAny: a configuration or a plugin, which Tailwind checks
type Module = { path: string; base: string; module: any }

/** Imports the module of a `@config` or `@plugin`, and returns its default export. */
export async function loadModule(id: string, base: string, kind: 'config' | 'plugin'): Promise<Module> {
  try {
    const path = createRequire(join(base, 'from.js')).resolve(id)
    const url = pathToFileURL(path).href
    const module = (await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ url)) as {
      default?: unknown
    }
    return { path, base: dirname(path), module: module.default ?? module }
  } catch (error) {
    throw new Error(`@${kind} "${id}" could not be loaded from ${base}: ${describeError(error)}`, {
      cause: error,
    })
  }
}
