/**
 * Returns the stylesheet that a package exports, relative to its folder: from `exports` under the condition `style`, else
 * from the field `style`.
 *
 * @param manifest The parsed `package.json`.
 * @param subpath The part of the `@import` after the package name; `''` for the package itself.
 * @example resolveStyleExport({ exports: { '.': { style: './index.css', import: './index.js' } } }, '') // './index.css'
 */
export function resolveStyleExport(manifest: unknown, subpath: string): string | undefined {
  const exports = own(manifest, 'exports')
  const target = own(exports, subpath ? `./${subpath}` : '.') ?? (subpath ? undefined : exports)
  return cssTarget(target) ?? (subpath ? undefined : (cssTarget(own(manifest, 'style')) ?? 'index.css'))
}

function cssTarget(target: unknown): string | undefined {
  if (typeof target === 'string') return target.endsWith('.css') ? target : undefined
  const next = own(target, 'style') ?? own(target, 'default')
  return next === undefined ? undefined : cssTarget(next)
}

function own(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}
