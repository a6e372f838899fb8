/**
 * The stylesheet that a package offers for an `@import` of it, relative to its folder: its `exports` under the condition
 * `style`, or its field `style`.
 *
 * @example styleOf({ exports: { '.': { style: './index.css', import: './index.js' } } }, '') // './index.css'
 */
export function styleOf(manifest: unknown, subpath: string): string | undefined {
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
