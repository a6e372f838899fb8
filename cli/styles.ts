import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { read } from './files.js'
import { readTokens } from './measure-tokens.js'
import { findTheme } from './styleguide-theme.js'

/** The stylesheet, configuration or tokens of a site, and the reader for it. */
export interface StyleSource {
  reader: 'fromTailwind4' | 'fromCssVariables' | 'fromTailwind3' | 'fromDesignTokens'
  /** Path of the file that the reader gets. */
  path: string
  /** Prefix of the colors, unless it is `--color-`. */
  prefix?: string
}

/** The parts of a site that init shows in its styleguide. */
export interface SiteParts {
  styles: StyleSource | undefined
  /** Declarations that give the styleguide's shell the colors and fonts of the site. */
  theme: string[]
  /** The site's title. */
  title: string | undefined
  /** A component that can be shown without props. */
  component: { name: string; path: string; isDefault: boolean; hasChildren: boolean } | undefined
}

const skipped = /^(?:\..*|node_modules|dist|build|out|coverage|vendor|tests?|__tests__|sitewright-setup|styleguide)$/
const maxFiles = 5_000

/** Lists the paths of a project's own files, with forward slashes: the outer ones first. Follows no links. */
export function listOwnFiles(folder: string): string[] {
  const paths: string[] = []
  const folders = ['']
  for (const path of folders) {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      if (entry.isDirectory() && !skipped.test(entry.name)) folders.push(posix.join(path, entry.name))
      if (entry.isFile()) paths.push(posix.join(path, entry.name))
    }
    if (paths.length > maxFiles) break
  }
  return paths
}

/** Finds the styles, the title and a component of a site. Reads files, and runs no code of the site. */
export function inspectParts(folder: string, paths: readonly string[], canShowJsx: boolean): SiteParts {
  const text = (path: string) => read(join(folder, path))
  const styles = findStyles(paths, text)
  return {
    styles,
    theme: styles?.path.endsWith('.css') ? findTheme(text(styles.path)) : [],
    title: findTitle(paths, text),
    component: canShowJsx ? findComponent(paths, text) : undefined,
  }
}

type ReadText = (path: string) => string

/**
 * Finds the source of a site's styles: a stylesheet of Tailwind 4, else tokens, else the stylesheet with the most
 * colors in custom properties, else the configuration of Tailwind 3.
 */
function findStyles(paths: readonly string[], text: ReadText): StyleSource | undefined {
  const stylesheets = paths.filter((path) => path.endsWith('.css') && !/\.min\.css$/.test(path))
  const texts = stylesheets.map((path) => ({ path, css: text(path) }))
  const tailwind = texts.find(({ css }) => /@import\s+["']tailwindcss|@theme\b/.test(css))
  if (tailwind) return { reader: 'fromTailwind4', path: tailwind.path }
  const tokens = paths.find((path) => /(?:^|[/.-])tokens\.json$/.test(path))
  if (tokens) return { reader: 'fromDesignTokens', path: tokens }
  const variables = texts.map(countColors).sort((a, b) => b.count - a.count)[0]
  if (variables && variables.count > 0) {
    const { path, prefix } = variables
    return { reader: 'fromCssVariables', path, ...(prefix && { prefix }) }
  }
  const config = paths.find((path) => /^tailwind\.config\.[cm]?[jt]s$/.test(path))
  return config === undefined ? undefined : { reader: 'fromTailwind3', path: config }
}

function countColors({ path, css }: { path: string; css: string }) {
  const names = readTokens(css).flatMap(({ name, isColor }) => (isColor ? name : []))
  const prefix = names.some((name) => name.startsWith('--color-')) ? undefined : '--'
  return { path, prefix, count: names.length }
}

/** Finds the literal title of the outermost document or layout. */
function findTitle(paths: readonly string[], text: ReadText): string | undefined {
  const layouts = paths.filter((path) => /(?:^|\/)(?:index|app|root|_?layout|base|main)\.(?!css)\w+$/i.test(path))
  const titles = layouts.map((path) => {
    const code = text(path)
    // `metadata` of Next.js has the title as a property.
    const [, ...afterName] = code.split(' metadata')
    const value = afterName
      .join()
      .split(/\btitle: |\bdefault: /)
      .find((rest) => /^['"]/.test(rest))
    const metadata = value?.slice(1).split(value.slice(0, 1))[0]
    const [, pug] = /\.pug$/.test(path) ? (/^ *title +([^#=\s].*)$/m.exec(code) ?? []) : []
    return (/<title>([^<>{}$%]+)<\/title>/.exec(code)?.[1] ?? metadata ?? pug ?? '').replace(/[`\\\s]+/g, ' ').trim()
  })
  return titles.find((title) => title !== '' && title.length <= 60)
}

/** Finds a component, a button first, whose parameters show that it needs no props. */
function findComponent(paths: readonly string[], text: ReadText): SiteParts['component'] {
  const files = paths.filter((path) => /(?:^|\/)components\//.test(path) && /\.[jt]sx$/.test(path))
  const buttonsFirst = [...files.filter((path) => /button\.\w+$/i.test(path)), ...files]
  for (const path of buttonsFirst) {
    const code = text(path)
    const declaration = /\bexport (default )?function ([A-Z]\w*)\(/.exec(code)
    const name = declaration?.[2]
    if (!declaration || name === undefined) continue
    const rest = code.slice(declaration.index + declaration[0].length)
    const parameters = rest.slice(0, Math.max(0, rest.search(/\)(?::[^=){]{0,80})? ?\{/)))
    if (rest.startsWith(')') || needsNoProps(parameters)) {
      return { name, path, isDefault: declaration[1] !== undefined, hasChildren: !rest.startsWith(')') }
    }
  }
  return undefined
}

/** Whether a component with these parameters takes children and attributes of its element, and requires nothing else. */
function needsNoProps(parameters: string): boolean {
  const [names = '', type] = parameters.split(/\} ?: ?/)
  if (type === undefined) return /^\{ ?children ?\}$/.test(names)
  if (/^(?:React\.)?(?:ComponentProps|PropsWithChildren|\w+HTMLAttributes)\b/.test(type)) return !type.includes('&')
  const members: readonly string[] = type.match(/\b\w+\??:/g) ?? []
  return members.includes('children:') && members.every((member) => member === 'children:' || member.endsWith('?:'))
}
