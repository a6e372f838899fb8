import * as cdn from '../../adapters/cdn/index.js'
import * as disk from '../../adapters/disk/index.js'
import * as express from '../../adapters/express/index.js'
import * as hono from '../../adapters/hono/index.js'
import * as nextCache from '../../adapters/next/cache/index.js'
import * as nextImage from '../../adapters/next/image/index.js'
import * as next from '../../adapters/next/index.js'
import * as node from '../../adapters/node/index.js'
import * as redis from '../../adapters/redis/index.js'
import * as sharp from '../../adapters/sharp/index.js'
import * as webhooks from '../../adapters/webhooks/index.js'
import * as core from '../../core/index.js'
import * as reactImage from '../../react/image/index.js'
import * as reactLocalizedPages from '../../react/localized-pages/index.js'
import * as reactSpacing from '../../react/spacing/index.js'
import * as reactStyleguide from '../../react/styleguide/index.js'

/** Everything that the package exports, by name. */
export const entries: Record<string, unknown> = {
  ...core,
  ...cdn,
  ...disk,
  ...express,
  ...hono,
  ...nextCache,
  ...next,
  ...nextImage,
  ...node,
  ...redis,
  ...sharp,
  ...webhooks,
  ...reactImage,
  ...reactLocalizedPages,
  ...reactSpacing,
  ...reactStyleguide,
}

export type Create = (...args: unknown[]) => unknown

/** What stands before the options. */
export const first: Readonly<Record<string, readonly unknown[]>> = {
  throttleLog: [() => {}],
  tieredStore: [[core.memoryStore({ maxBytes: 1 })]],
  nodeListener: [() => {}],
}

/** Returns the names of the options of a function, which it tells when it gets another one; `undefined` if it has none. */
export function optionsOf(name: string): readonly string[] | undefined {
  const [, names] =
    /^unknowable: expected one of the options ([\w, ]+), got/.exec(callWith(name, { unknowable: 1 })) ?? []
  return names?.split(', ')
}

/** Returns the message of what a function throws for its options; `''` when it throws nothing. */
export function callWith(name: string, options: unknown): string {
  try {
    const result = (entries[name] as Create)(...(first[name] ?? []), options)
    if (result instanceof Promise) result.catch(() => {})
    return ''
  } catch (error) {
    return error instanceof TypeError ? error.message : `${error}`
  }
}
