import * as core from '../../core/index.js'
import manifest from '../../package.json' with { type: 'json' }

const sources = Object.values(manifest.exports)
  .map((target) => (typeof target === 'string' ? target : target.default))
  .flatMap((path) => /^\.\/dist\/(.*\/index)\.js$/.exec(path)?.[1] ?? [])
  .map((path) => new URL(`../../${path}.ts`, import.meta.url).href)
const modules: Record<string, unknown>[] = await Promise.all(sources.map((source) => import(/* @vite-ignore */ source)))

/** Everything that the package exports, by name. */
export const entries: Record<string, unknown> = Object.assign({}, ...modules)

export type Create = (...args: unknown[]) => unknown

/** The arguments before the options. */
export const first: Readonly<Record<string, readonly unknown[]>> = {
  tieredStore: [[core.memoryStore({ maxBytes: 1 })]],
  nodeListener: [() => {}],
}

/** Returns the options that a function lists in its error for an unknown option; `undefined` if it has no options. */
export function optionsOf(name: string): readonly string[] | undefined {
  const [, names] =
    /^unknowable: expected one of the options ([\w, ]+), got/.exec(callWith(name, { unknowable: 1 })) ?? []
  return names?.split(', ')
}

/** Returns the message of the error that a function throws for its options; `''` if it throws no error. */
export function callWith(name: string, options: unknown): string {
  try {
    const result = (entries[name] as Create)(...(first[name] ?? []), options)
    if (result instanceof Promise) result.catch(() => {})
    return ''
  } catch (error) {
    return error instanceof TypeError ? error.message : `${error}`
  }
}
