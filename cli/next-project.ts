import { dirname, join } from 'node:path'
import { CliError } from './arguments.js'
import { list, read } from './files.js'

/** The properties of a project of Next.js that its files and steps depend on. */
export type NextProject = ReturnType<typeof inspectNext>

/** The entries of `app` that stay outside of a route group: those of init, and files that Next.js reads only there. */
const outsideOfGroups = /^(?:%5Fimage|api|sitewright|styleguide|favicon\.ico|global-error\..*|\(.*\))$/
/** Paths that a proxy of languages must not answer. */
const ownPaths = ['_image', 'styleguide', 'sitewright', 'api/revalidate']

/**
 * Inspects a project of Next.js. Reads code with patterns, so it finds only settings that are written as literals.
 *
 * @param configText The text of `next.config`.
 * @param range The version of `next` in package.json.
 * @param names The names in the folder `app`.
 * @throws CliError if Next.js is older than 15.1.
 */
export function inspectNext(folder: string, source: string, configText: string, range: unknown, names: string[]) {
  checkVersion(readPackage(folder, 'next')?.version ?? range)
  const [, basePath = ''] = /\bbasePath\s*:\s*['"`](\/[\w./-]+)['"`]/.exec(configText) ?? []
  const layout = names.find((name) => /^layout\.[jt]sx?$/.test(name))
  const hasHeader = layout && hasPageParts(read(join(folder, `${source}app`, layout)))
  const proxy = findProxy(folder, source)
  return {
    basePath,
    /** Whether the site has the Pages Router alone, so that files go into `pages`. */
    hasPagesOnly: names.length === 0 && list(join(folder, `${source}pages`)).length > 0,
    /** The end of the URLs that Next.js does not redirect. */
    slash: /\btrailingSlash\s*:\s*true\b/.test(configText) ? '/' : '',
    /** The root layout, if it has a header or a footer, which would be around the styleguide, too. */
    layout: hasHeader ? `${source}app/${layout}` : undefined,
    /** The files that move into a route group to keep such a layout away from the styleguide. */
    pages: names.filter((name) => !outsideOfGroups.test(name)).map((name) => `"${source}app/${name}"`),
    /** Whether the site's own 404 moves as well. Next.js then no longer shows it at unknown addresses by itself. */
    movesNotFound: hasHeader && names.some((name) => /^not-found\./.test(name)),
    proxy: proxy?.path,
    matcher: proxy && findMatcher(proxy.text),
    /** The source to write into a redirect that takes the paths of this package. */
    redirectSource: findRedirect(configText),
    /** The version of sharp beside Next.js. Two versions cannot share the folder of their native library. */
    sharp: readPackage(folder, 'sharp')?.version ?? readPackage(folder, 'next')?.optionalDependencies?.sharp,
  }
}

/** Whether a layout has more than the frame of a document. `adapters/next/warnings.ts` has the same pattern. */
function hasPageParts(layout: string): boolean {
  return /<(?:header|nav|footer|aside)\b|<[\w.]*(?:Header|Nav|Footer|Sidebar)/.test(layout)
}

/** Finds the proxy, which is in the folder of `app`; before Next.js 16, its name was `middleware`. */
function findProxy(folder: string, source: string) {
  const names = list(join(folder, source))
  const name = names.find((name) => /^(?:proxy|middleware)\.(?:[jt]s|mjs)$/.test(name))
  return name === undefined ? undefined : { path: source + name, text: read(join(folder, source, name)) }
}

/**
 * Returns the line to write into a proxy so that it leaves the paths of this package alone; `undefined` if it does.
 * Without a matcher, a proxy runs for all paths.
 *
 * @example findMatcher("matcher: '/((?!api|.*\\..*).*)'") // "'/((?!_image|styleguide|api|.*\\..*).*)',"
 */
export function findMatcher(text: string): string | undefined {
  const start = text.search(/\bmatcher\b/)
  if (start < 0) return `export const config = { matcher: '/((?!${ownPaths.join('|')}).*)' }`
  const literals = text.slice(start).matchAll(/'\/([^'\n]*)'|"\/([^"\n]*)"|`\/([^`\n]*)`/g)
  const lines = Array.from(literals, ([, single, double, pattern = double ?? single ?? '']) => {
    const excluded = /^\(\(\?!/.test(pattern) ? pattern.slice(4) : ').*)'
    const matched = ownPaths.filter((path) => matches(pattern.replace(/^:\w+[*+]$/, '.*'), path))
    return matched.length > 0 ? `'/((?!${matched.join('|')}${excluded.replace(/^(?!\))/, '|')}',` : ''
  })
  return lines.find(Boolean)
}

/** Returns the line to write in place of the source of a redirect of all paths, unless the redirect has a condition. */
function findRedirect(configText: string): string | undefined {
  const [redirects = ''] = configText.split(/\bredirects\b/)[1]?.split(/\b(?:rewrites|headers)\b/) ?? []
  const unconditional = redirects.split('{').filter((rule) => !/\b(?:has|missing)\b/.test(rule))
  const sources = unconditional.map((rule) => /\bsource\s*:\s*(['"`][^'"`\n]*['"`])/.exec(rule)?.[1])
  return findMatcher(`matcher ${sources.join()}`)
}

function matches(pattern: string, path: string): boolean {
  try {
    return new RegExp(`^${pattern.replaceAll('\\\\', '\\')}$`).test(path)
  } catch {
    return false // a pattern that only path-to-regexp can read
  }
}

interface Package {
  version: string
  optionalDependencies?: Record<string, string>
}

/**
 * Reads the package.json of an installed package, which may be in a folder further up. Not every package exports it, so
 * it is not required.
 */
function readPackage(folder: string, name: string): Package | undefined {
  const text = read(join(folder, 'node_modules', name, 'package.json'))
  if (text !== '') return JSON.parse(text)
  return dirname(folder) === folder ? undefined : readPackage(dirname(folder), name)
}

function checkVersion(version: unknown): void {
  const [, major, minor = '1'] = /^[^\d*]*(\d+)(?:\.(\d+))?/.exec(String(version)) ?? []
  if (major === undefined || Number(major) > 15 || (major === '15' && Number(minor) >= 1)) return
  throw new CliError(`next: expected 15.1 or later, got ${version}. Upgrade first: npx @next/codemod upgrade latest`)
}
