import type * as React from 'react'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { formatLength, parseShadow, type ShadowLayer, splitTopLevel } from '../../../core/styleguide/internal.js'
import { roomOf } from './mode-name.js'
import { count, ValueList } from './value-list.js'

export interface ShadowsPageProps {
  /** Names and `box-shadow` values. */
  shadows: readonly DesignValue[]
}

/**
 * Shows shadows, each under a sheet, in light and dark.
 *
 * @example <ShadowsPage shadows={[{ name: 'sm', value: '0 1px 3px #0003' }]} />
 */
export function ShadowsPage({ shadows }: ShadowsPageProps): React.ReactElement {
  const values = unique(shadows)
  if (values.length === 0) return <p className="sw-empty">No shadows found</p>
  const kinds = Object.entries({ Outer: values.filter(isOuter), Inner: values.filter((shadow) => !isOuter(shadow)) })
  return (
    <>
      <p className="sw-deck">{`${count(values, 'shadow')} in light and dark.`}</p>
      {kinds.map(([kind, shadows]) => (
        <ValueList
          key={kind}
          title={shadows.length < values.length ? kind : undefined}
          form="sw-cards"
          columns={values.length > 4 ? [4, 2] : [2, 1]}
          values={shadows}
          note={describeShadow}
        >
          {({ value, dark }) => (
            <div className="sw-both">
              <Shadow value={value} mode="light" />
              <Shadow value={dark} mode="dark" />
            </div>
          )}
        </ValueList>
      ))}
    </>
  )
}

// A sheet is as dark as the shadow below it in the dark.
const edgeInDark = 'light-dark(#0000, var(--sw-line))'

/** Three different shadows of a page, the deepest above the others. */
export function ShadowStack({ shadows }: ShadowsPageProps): React.ReactElement {
  return (
    <svg className="sw-stack" width="100%" viewBox="0 0 240 180" stroke={edgeInDark} aria-hidden="true">
      {shadows
        .filter(isOuter)
        .slice(-3)
        .map(({ name, value }, index) => (
          <g key={name} transform={`translate(${index * 30 - 30} ${index * 26 - 12})`}>
            <Shadow value={value} height={200} />
          </g>
        ))}
    </svg>
  )
}

/** A shadow with its value in the mode `dark`. */
type ShadowInModes = DesignValue & { dark: string }

const isOuter = ({ value }: DesignValue) => !value.includes('inset')

/** Returns each value once, with all its names and its value in the dark. */
export function unique(shadows: readonly DesignValue[]): ShadowInModes[] {
  const byValue = new Map<string, ShadowInModes>()
  const darkOf = (name: string) => shadows.find((shadow) => shadow.name === name && shadow.mode === 'dark')
  for (const shadow of shadows) {
    const isAlsoLight = shadows.some(({ name, mode }) => name === shadow.name && mode !== 'dark')
    if (shadow.mode === 'dark' && isAlsoLight) continue
    const dark = darkOf(shadow.name)?.value ?? shadow.value
    const key = `${shadow.value} ${dark}`.replace(/\s+/g, ' ').replaceAll('0px', '0')
    const same = byValue.get(key)
    byValue.set(key, { ...(same ?? shadow), dark, name: same ? `${same.name} = ${shadow.name}` : shadow.name })
  }
  return [...byValue.values()]
}

/** Describes a shadow, `Down 1–2, blur 2–6 px`, above its layers, which are folded if there are several. */
function describeShadow({ value }: DesignValue): React.ReactNode {
  const layers = parseShadow(value)
  if (!layers) return undefined
  const range = (key: 'y' | 'blur') => {
    const [least, most] = [Math.min, Math.max].map((of) => of(...layers.map((layer) => layer[key])))
    // A word joiner after the dash keeps the range on one line.
    return least === most ? least : `${least}${Number(least) < 0 ? '\u00a0to\u00a0' : '–\u2060'}${most}`
  }
  const text = `Down\u00a0${range('y')}, blur\u00a0${range('blur')}\u00a0px`
  if (layers.length === 1) return text
  return (
    <details>
      <summary>{text}</summary>
      {splitTopLevel(value, ',').map((layer) => (
        <div key={layer}>{layer.trim()}</div>
      ))}
    </details>
  )
}

export interface RadiiPageProps {
  /** Names and `border-radius` values. */
  radii: readonly DesignValue[]
}

/** Shows the radii of corners. @example <RadiiPage radii={[{ name: 'lg', value: '0.5rem' }]} /> */
export function RadiiPage({ radii }: RadiiPageProps): React.ReactElement {
  if (radii.length === 0) return <p className="sw-empty">No radii found</p>
  return (
    <ValueList form="sw-cards" columns={[4, 2]} values={radii} note={({ value }) => formatLength(value)}>
      {Radius}
    </ValueList>
  )
}

export interface GradientsPageProps {
  /** Names and CSS gradients. */
  gradients: readonly DesignValue[]
}

/**
 * Shows gradients. The script paints them, since without an inline style only it can paint each kind and color space.
 *
 * @example <GradientsPage gradients={[{ name: 'dawn', value: 'linear-gradient(90deg, #f9a, #fc6)' }]} />
 */
export function GradientsPage({ gradients }: GradientsPageProps): React.ReactElement {
  if (gradients.length === 0) return <p className="sw-empty">No gradients found</p>
  return (
    <>
      <p className="sw-deck">{`${count(gradients, 'gradient')}, each with its code to copy.`}</p>
      <ValueList form="sw-cards" columns={[4, 2]} values={gradients} note={() => undefined}>
        {Gradient}
      </ValueList>
    </>
  )
}

/** A sheet whose corners have a radius. */
export const Radius = ({ value }: DesignValue) => (
  <svg className="sw-effect" aria-hidden="true">
    <rect x="20%" y="20%" width="60%" height="60%" fill="var(--sw-accent)" clipPath={`inset(0 round ${value})`} />
  </svg>
)

/** A place that the script paints with a gradient. */
export const Gradient = ({ value }: DesignValue) => <div className="sw-effect sw-paint" data-sw-background={value} />

/** The color of a sheet: lighter than its ground in both modes, so that it is seen in the dark, too */
const sheetColor = 'light-dark(var(--sw-bg), color-mix(in oklab, var(--sw-bg) 78%, var(--sw-text)))'

/**
 * A sheet with its shadow in true size, for which there is more room below. Attributes of an SVG are not inline styles,
 * and a clip path may add percents and pixels.
 */
function Shadow({ value, height, mode }: { value: string; height?: number; mode?: 'light' | 'dark' }) {
  const layers = [...(parseShadow(value) ?? [])].reverse()
  const draw = ({ x, y, blur, spread, color, isInset }: ShadowLayer, index: number) => {
    const grown = isInset ? -spread : spread
    const [left, right] = [`calc(20% + ${x - grown}px)`, `calc(80% + ${x + grown}px)`]
    const [top, bottom] = [`calc(14% + ${y - grown}px)`, `calc(62% + ${y + grown}px)`]
    // An inner shadow is a frame around a hole.
    const frame = isInset ? '0 0, 100% 0, 100% 100%, 0 100%, 0 0, ' : ''
    const sheet = `${left} ${top}, ${right} ${top}, ${right} ${bottom}, ${left} ${bottom}`
    return (
      // The standard deviation is half the blur radius.
      <g key={index} filter={blur > 0 ? `blur(${blur / 2}px)` : undefined}>
        <rect width="100%" height="100%" fill={color} clipPath={`polygon(evenodd, ${frame}${sheet}, ${left} ${top})`} />
      </g>
    )
  }
  return (
    <svg className={`sw-shadow ${mode ? roomOf(mode) : ''}`} height={height} color="var(--sw-text)" aria-hidden="true">
      {layers.filter(({ isInset }) => !isInset).map(draw)}
      <rect x="20%" y="14%" width="60%" height="48%" fill={sheetColor} />
      <g clipPath="inset(14% 20% 38%)">{layers.filter(({ isInset }) => isInset).map(draw)}</g>
    </svg>
  )
}
