import type * as React from 'react'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { parseShadow, type ShadowLayer, splitTopLevel } from '../../../core/styleguide/internal.js'
import { roomOf } from './mode-name.js'
import { Copy } from './page-section.js'

export interface ShadowsPageProps {
  /** Names and `box-shadow` values. */
  shadows: readonly DesignValue[]
}

/** Shows shadows, each under a sheet, in light and dark. @example <ShadowsPage shadows={[{ name: 'sm', value: '0 1px 3px #0003' }]} /> */
export function ShadowsPage({ shadows }: ShadowsPageProps): React.ReactElement {
  const values = distinct(shadows)
  return (
    <>
      {values.length > 0 && <p className="sw-deck">Each on the ground of both modes.</p>}
      <Specimens values={values} nothing="No shadows found" describe={describeShadow}>
        {({ value, dark }) => (
          <div className="sw-both">
            {(['light', 'dark'] as const).map((mode) => (
              <div key={mode} className={roomOf(mode)}>
                <Shadow value={mode === 'dark' ? dark : value} />
              </div>
            ))}
          </div>
        )}
      </Specimens>
    </>
  )
}

/** Three shadows of a page, the deepest above the others. */
export function ShadowStack({ shadows }: ShadowsPageProps): React.ReactElement {
  return (
    <svg className="sw-stack" viewBox="0 0 240 180" aria-hidden="true">
      {distinct(shadows)
        .filter(({ value }) => !value.includes('inset'))
        .slice(-3)
        .map(({ name, value }, index) => (
          <g key={name} transform={`translate(${index * 30 - 30} ${index * 26 - 16})`}>
            <Shadow value={value} />
          </g>
        ))}
    </svg>
  )
}

interface ShadowInModes extends DesignValue {
  /** The value in the mode `dark`. */
  dark: string
}

/**
 * Returns each value once, with all its names and its value in the dark. An inner shadow with the name of another shadow
 * is marked.
 */
function distinct(shadows: readonly DesignValue[]): ShadowInModes[] {
  const byValue = new Map<string, ShadowInModes>()
  const darkOf = (name: string) => shadows.find((shadow) => shadow.name === name && shadow.mode === 'dark')
  for (const shadow of shadows) {
    const isAlsoLight = shadows.some(({ name, mode }) => name === shadow.name && mode !== 'dark')
    if (shadow.mode === 'dark' && isAlsoLight) continue
    const dark = darkOf(shadow.name)?.value ?? shadow.value
    const key = `${shadow.value} ${dark}`.replace(/\s+/g, ' ').replaceAll('0px', '0')
    const isRepeated = shadows.some(({ name, value }) => name === shadow.name && !value.includes('inset'))
    const name = isRepeated && shadow.value.includes('inset') ? `inset ${shadow.name}` : shadow.name
    const same = byValue.get(key)
    byValue.set(key, { ...(same ?? shadow), dark, name: same ? `${same.name}, ${name}` : name })
  }
  return [...byValue.values()]
}

/** Describes a shadow: `'2 layers, down 1 to 2, blur 2 to 6 px'`. */
function describeShadow(value: string): string | undefined {
  const layers = parseShadow(value)
  if (!layers) return undefined
  const range = (key: 'y' | 'blur') => {
    const [least, most] = [Math.min, Math.max].map((of) => of(...layers.map((layer) => layer[key])))
    return least === most ? least : `${least} to ${most}`
  }
  return `${layers.length} layer${layers.length > 1 ? 's' : ''}, down ${range('y')}, blur ${range('blur')} px`
}

export interface RadiiPageProps {
  /** Names and `border-radius` values. */
  radii: readonly DesignValue[]
}

/** Shows the radii of corners. @example <RadiiPage radii={[{ name: 'lg', value: '0.5rem' }]} /> */
export function RadiiPage({ radii }: RadiiPageProps): React.ReactElement {
  return (
    <Specimens values={radii} nothing="No radii found">
      {Radius}
    </Specimens>
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
  return (
    <Specimens values={gradients} nothing="No gradients found">
      {Gradient}
    </Specimens>
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

interface SpecimensProps<Value> {
  values: readonly Value[]
  /** Message if there are no values. */
  nothing: string
  /** Describes a value in a line. The value itself is then folded. */
  describe?: (value: string) => string | undefined
  children: (value: Value) => React.ReactNode
}

function Specimens<Value extends DesignValue>({ values, nothing, describe, children }: SpecimensProps<Value>) {
  if (values.length === 0) return <p className="sw-empty">{nothing}</p>
  return (
    <ul className="sw-effects">
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
        <li key={index}>
          {children(value)}
          <strong>{value.name}</strong>
          {describe && <div className="sw-small">{describe(value.value)}</div>}
          <Copy text={value.source?.property ? `var(${value.source.property})` : value.value} />
          {describe && value.source?.property && (
            <details>
              <summary className="sw-small">Layers</summary>
              {splitTopLevel(value.value, ',').map((layer) => (
                <div key={layer} className="sw-small">
                  <code>{layer.trim()}</code>
                </div>
              ))}
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

/**
 * A sheet with its shadow, drawn in an SVG, since attributes of an SVG are not inline styles. An inner shadow is a frame
 * around a hole, clipped to the sheet.
 */
function Shadow({ value }: { value: string }) {
  const layers = [...(parseShadow(value) ?? [])].reverse()
  const draw = ({ x, y, blur, spread, color, isInset }: ShadowLayer, index: number) => {
    const grown = isInset ? -spread : spread
    const [width, height] = [120, 80].map((side) => Math.max(0, side + 2 * grown))
    const sheet = `M${60 + x - grown} ${40 + y - grown}h${width}v${height}h-${width}Z`
    return (
      <path
        key={index}
        fill={color}
        fillRule="evenodd"
        // The standard deviation is half the blur radius.
        filter={blur > 0 ? `blur(${blur / 2}px)` : undefined}
        d={isInset ? `M0 0H240V160H0Z${sheet}` : sheet}
      />
    )
  }
  return (
    <svg className="sw-effect" viewBox="0 0 240 160" color="var(--sw-text)" aria-hidden="true">
      {layers.filter(({ isInset }) => !isInset).map(draw)}
      <rect x="60" y="40" width="120" height="80" fill="light-dark(#fff, var(--sw-line))" />
      <g clipPath="polygon(60px 40px, 180px 40px, 180px 120px, 60px 120px)">
        {layers.filter(({ isInset }) => isInset).map(draw)}
      </g>
    </svg>
  )
}
