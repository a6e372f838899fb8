import type { StyleColor } from '../../../core/styleguide/index.js'
import {
  type ColorInfo,
  type Contrast,
  describeColor,
  type SchemeColor,
  schemeColors,
  svgFill,
} from '../../../core/styleguide/internal.js'

interface SwatchProps {
  id: string
  color: StyleColor
  background: string | undefined
}

/** A color: painted, with its name, value, contrast and problem. */
export function Swatch({ id, color, background }: SwatchProps) {
  const { name, value, alias, problem } = color
  const { schemes, isComplete } = describeSchemes(color, background)
  return (
    <li className="sw-swatch" id={id}>
      <Paint color={color} />
      {value && (
        <button className="sw-copy" type="button">
          <span>Copy</span> <span className="sw-hidden">{name}</span>
        </button>
      )}
      <a className="sw-anchor sw-swatch-name" href={`#${encodeURIComponent(id)}`}>
        {name}
      </a>
      {value && <code>{value}</code>}
      {schemes.map(({ value, hex }) => hex && !value.startsWith('#') && <code key={value}>{hex}</code>)}
      {!isComplete && svgFill(color) && <PaintedLabel />}
      {alias && <p className="sw-note">alias of {alias}</p>}
      {problem && <p className="sw-problem">{problem}</p>}
      {schemes.some(({ hex }) => !hex) && <p className="sw-note">outside sRGB</p>}
      {schemes.map(({ scheme, value, onWhite, onBlack, onBackground }) => (
        <dl key={`${scheme} ${value}`} className="sw-contrast" data-scheme={scheme && `${scheme} scheme`}>
          <ContrastOn background="white" contrast={onWhite} />
          <ContrastOn background="black" contrast={onBlack} />
          {onBackground && <ContrastOn className="sw-custom" background={background} contrast={onBackground} />}
        </dl>
      ))}
    </li>
  )
}

type SchemeColorInfo = SchemeColor & ColorInfo

interface CachedInfo {
  schemes: readonly SchemeColorInfo[]
  /** Whether the color of each scheme is known without a browser. */
  isComplete: boolean
  background: string | undefined
}

// A configuration is read once and shown often, so its colors are measured only once.
const cache = new WeakMap<StyleColor, CachedInfo>()

/** Describes a color once, or once per color scheme if it uses `light-dark()`. */
function describeSchemes(color: StyleColor, background: string | undefined): CachedInfo {
  const cached = cache.get(color)
  if (cached && cached.background === background) return cached
  const parts = schemeColors(color.value)
  const schemes = parts.flatMap((part) => describeSchemeColor(part, background))
  const info = { schemes, isComplete: schemes.length === parts.length, background }
  cache.set(color, info)
  return info
}

function describeSchemeColor(part: SchemeColor, background: string | undefined): SchemeColorInfo[] {
  const info = describeColor(part.value, background)
  return info ? [{ ...part, ...info }] : []
}

/**
 * A color as an SVG, because its `fill` attribute takes any CSS color and a Content-Security-Policy does not treat it as a
 * style. If the browser does not know the value, it ignores the attribute, and the inherited `none` shows the background.
 */
function Paint({ color }: { color: StyleColor }) {
  const fill = svgFill(color)
  return (
    <svg className="sw-paint" width="100%" height="80" fill="none" aria-hidden="true">
      {/* Larger than the SVG, since the edge of a rectangle that ends within a pixel is translucent. */}
      {fill && <rect width="110%" height="110%" fill={fill} />}
    </svg>
  )
}

// A constant, because React compares it by identity.
const empty = { __html: '' }

/** Where the script writes how the browser paints a color that only a browser can resolve. React leaves it alone. */
function PaintedLabel() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; keeps React from comparing the script's text
  return <code className="sw-painted" suppressHydrationWarning dangerouslySetInnerHTML={empty} />
}

interface ContrastOnProps {
  background: string | undefined
  contrast: Contrast
  className?: string
}

function ContrastOn({ background, contrast: { ratio, level }, className }: ContrastOnProps) {
  return (
    <div className={className}>
      <dt>
        <span className="sw-hidden">Contrast on </span>
        {background}
      </dt>
      <dd>
        {ratio.toFixed(2)} {level !== 'none' && <abbr>{level}</abbr>}
      </dd>
    </div>
  )
}
