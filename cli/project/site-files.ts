import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from './server.js'

const stylesheetFolders = ['app', 'src/app', 'src', 'src/styles', 'styles', 'public', 'static', '']
// A large project is not read in full.
const maxFiles = 5_000

/** Returns the path of the first stylesheet that has colors as custom properties. */
export function findStylesheet(folder: string): string | undefined {
  const paths = stylesheetFolders.flatMap((at) =>
    list(join(folder, at))
      .filter((entry) => entry.isFile() && entry.name.endsWith('.css'))
      .map(({ name }) => (at ? `${at}/${name}` : name)),
  )
  return paths.find((path) => /--color-[\w-]+\s*:/.test(read(join(folder, path))))
}

/**
 * Whether a file of the site shows images or caches pages by what was written: it imports `images` or `cache` of the folder
 * `sitewright/`; on Next.js, `next/image`, which the loader serves.
 */
export function usesFiles(folder: string, server: Server): boolean {
  const pattern = server === 'next' ? imageComponent : importedNames
  return sourceFiles(folder).some((path) => pattern.test(read(path)))
}

const imageComponent = /['"]next\/image['"]/
const importedNames =
  /\{[^{}]*\b(?:images|cache)\b[^{}]*\}\s*(?:from\s*|=\s*(?:require|await\s+import)\(\s*)['"][^'"]*\/sitewright\//

function sourceFiles(folder: string): string[] {
  const folders = [folder]
  const files: string[] = []
  for (const at of folders) {
    for (const entry of list(at)) {
      const path = join(at, entry.name)
      if (entry.isDirectory() && !isSkipped(entry.name)) folders.push(path)
      if (entry.isFile() && /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/.test(entry.name)) files.push(path)
    }
    if (files.length > maxFiles) break
  }
  return files
}

const isSkipped = (name: string) => /^(?:\..*|node_modules|dist|build|sitewright)$/.test(name)

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
