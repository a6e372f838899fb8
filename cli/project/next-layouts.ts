import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Layouts {
  /** The layout that the styleguide needs: the app's root layout, or one of its own beside those of other folders. */
  missingLayout: 'root' | 'styleguide' | undefined
  /** The styleguide's layout, where its `<html>` is within that of the root layout. */
  nestedLayout: string | undefined
  /** Below `app`, a folder in which a page has a root layout: `''`, or such as `'(site)/'`. */
  pageFolder: string
}

/**
 * Finds out where the styleguide's `<html>` comes from. It is in `app/layout`, or in a layout for each folder, such as
 * `app/(site)/layout` and `app/[lang]/layout`, below which the styleguide is not.
 *
 * @param app From `folder`: `app` or `src/app`.
 */
export function inspectLayouts(folder: string, app: string): Layouts {
  const paths = existsSync(join(folder, app))
    ? readdirSync(join(folder, app), { recursive: true, encoding: 'utf8' })
    : []
  const layouts = paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(?:^|\/)layout\.[jt]sx?$/.test(path))
  const withHtml = layouts.filter((path) => /<html\b/.test(readFileSync(join(folder, app, path), 'utf8')))
  const own = withHtml.find((path) => /^styleguide\/layout\./.test(path))
  const root = layouts.find((path) => !path.includes('/'))
  // A root layout may leave `<html>` to a component of its own, or to the layouts of folders.
  const inRoot = root !== undefined && (withHtml.includes(root) || withHtml.length === 0)
  if (inRoot) return { missingLayout: undefined, nestedLayout: own && `${app}/${own}`, pageFolder: '' }
  const other = withHtml.find((path) => path !== own)
  return {
    missingLayout: root || withHtml.length > 0 ? 'styleguide' : 'root',
    nestedLayout: undefined,
    pageFolder: other?.replace(/[^/]*$/, '') ?? '',
  }
}
