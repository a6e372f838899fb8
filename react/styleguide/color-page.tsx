import type * as React from 'react'
import { type ColorGroup, groupColors, type StyleColor, slugify } from '../../core/styleguide/index.js'
import { Swatch } from './swatch.js'

export interface ColorPageProps {
  /** The colors, as one of the readers gave them: `fromTailwind3(config)`, `fromDesignTokens(json)`, … */
  colors: readonly StyleColor[]
  /** `'grid'`: all in their order; `'grouped'`: by name, with their shades. Default `'grid'`. */
  layout?: 'grid' | 'grouped' | undefined
}

/**
 * The colors of a style configuration, each painted, labelled and with a link of its own; `No colors found` when there
 * are none. No inline style, so that it holds under a strict Content-Security-Policy, and no client JavaScript.
 *
 * @example <ColorPage colors={fromTailwind3(config)} layout="grouped" />
 */
export function ColorPage({ colors, layout = 'grid' }: ColorPageProps): React.ReactElement {
  if (colors.length === 0) return <p className="sw-empty">No colors found</p>
  const createId = createIds()
  if (layout === 'grid') return <Swatches colors={colors} createId={createId} />
  return (
    <div className="sw-color-groups">
      {groupColors(colors).map((group) => (
        <Group key={group.name ?? ''} group={group} createId={createId} />
      ))}
    </div>
  )
}

type CreateId = (name: string) => string

function Group({ group, createId }: { group: ColorGroup; createId: CreateId }) {
  const id = createId(group.name === undefined ? 'colors' : `colors ${group.name}`)
  return (
    <section className="sw-color-group" aria-labelledby={id}>
      <h2 id={id}>
        <a className="sw-anchor" href={`#${encodeURIComponent(id)}`}>
          {group.name ?? 'Single colors'}
        </a>
      </h2>
      <Swatches colors={group.colors} createId={createId} />
    </section>
  )
}

function Swatches({ colors, createId }: { colors: readonly StyleColor[]; createId: CreateId }) {
  return (
    <ul className="sw-colors">
      {colors.map((color) => {
        const id = createId(`color ${color.name}`)
        return <Swatch key={id} id={id} color={color} />
      })}
    </ul>
  )
}

/** Creates ids for deep links: readable, and each once on the page. */
function createIds(): CreateId {
  const taken = new Map<string, number>()
  return (name) => {
    const id = slugify(name)
    let count = taken.get(id) ?? 0
    let unique = id
    while (taken.has(unique)) unique = `${id}-${++count + 1}`
    taken.set(id, count)
    if (unique !== id) taken.set(unique, 0)
    return unique
  }
}
