import type { StyleguideIndex } from './index-json.js'
import { tokensIn } from './tokens/write-tokens.js'

/** The state of a styleguide at a run of `npx sitewright styleguide check --state` or `--out … --state`. */
export interface StyleguideState {
  /** The day of the run: `'2026-11-12'`. */
  date: string
  index: StyleguideIndex
}

/** A token or component that has changed. `before` or `now` is missing if it was added, or is gone. */
export interface Change {
  /** Kind of a token, such as `colors`, or `components`. */
  kind: string
  name: string
  href: string
  /** The values by mode; for a component, the titles of its variants by a word such as `Variants`. */
  before?: ReadonlyMap<string, string>
  now?: ReadonlyMap<string, string>
}

/** Returns the changes from one state of a styleguide to another, in the order of the new state. */
export function compareStyleguides(before: StyleguideIndex, now: StyleguideIndex): Change[] {
  const [old, current] = [itemsOf(before), itemsOf(now)]
  const keys = new Set([...current.keys(), ...old.keys()])
  return [...keys].flatMap((key) => {
    const [was, is] = [old.get(key), current.get(key)]
    const { kind, name, href } = (is ?? was) as Item
    if (was && is && textOf(was.values) === textOf(is.values)) return []
    return { kind, name, href, ...(was && { before: was.values }), ...(is && { now: is.values }) }
  })
}

interface Item extends Pick<Change, 'kind' | 'name' | 'href'> {
  values: Map<string, string>
}

const textOf = (values: ReadonlyMap<string, string>) => JSON.stringify([...values])

function itemsOf({ tokens, unwritten, components }: StyleguideIndex): Map<string, Item> {
  const items = new Map<string, Item>()
  const add = (key: string, { kind, name, href }: Omit<Item, 'values'>, label: string, value: string) => {
    const item = items.get(key) ?? { kind, name, href, values: new Map<string, string>() }
    items.set(key, item)
    item.values.set(label, value)
  }
  for (const { path, mode, token } of tokensIn(tokens)) add(path, token, mode, token.css)
  for (const { token: path, mode = '', css } of unwritten) {
    const [kind = '', name = ''] = path.split(/\.(.*)/s)
    add(path, { kind, name, href: '' }, mode, css)
  }
  for (const { title: name, href, variants, props } of components) {
    const states = variants.map(({ title, states }) => [title, ...states].join(', '))
    const parts = { Variants: states.join('; '), Props: props.map(({ name, type }) => `${name}: ${type}`).join('; ') }
    for (const [label, value] of Object.entries(parts))
      if (value) add(href, { kind: 'components', name, href }, label, value)
  }
  return items
}
