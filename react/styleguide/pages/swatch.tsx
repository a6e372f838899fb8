import {
  type ColorInfo,
  type Contrast,
  describeColor,
  type SchemeColor,
  type StyleColor,
  schemeColors,
  svgFill,
} from '../../../core/styleguide/index.js'

interface SwatchProps {
  id: string
  color: StyleColor
  background: string | undefined
}

/** One color: painted, with its name, value, contrast, and what is wrong with it. */
export function Swatch({ id, color, background }: SwatchProps) {
  const { name, value, alias, problem } = color
  const facts = factsOf(color, background)
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
      {facts.map(({ value, hex }) => hex && !value.startsWith('#') && <code key={value}>{hex}</code>)}
      {alias && <p className="sw-note">alias of {alias}</p>}
      {problem && <p className="sw-problem">{problem}</p>}
      {facts.some(({ hex }) => !hex) && <p className="sw-note">outside of sRGB</p>}
      {facts.map(({ scheme, value, onWhite, onBlack, onBackground }) => (
        <dl key={`${scheme} ${value}`} className="sw-contrast" data-scheme={scheme && `${scheme} scheme`}>
          <ContrastOn ground="white" contrast={onWhite} />
          <ContrastOn ground="black" contrast={onBlack} />
          {onBackground && <ContrastOn className="sw-custom" ground={background} contrast={onBackground} />}
        </dl>
      ))}
    </li>
  )
}

type SchemeFacts = SchemeColor & ColorInfo

interface Measured {
  facts: readonly SchemeFacts[]
  background: string | undefined
}

// A configuration is read once and shown often; so its colors are measured once.
const measured = new WeakMap<StyleColor, Measured>()

/** What can be said of a color: once, or, where it is another one in the dark, once for each scheme. */
function factsOf(color: StyleColor, background: string | undefined): readonly SchemeFacts[] {
  let known = measured.get(color)
  if (!known || known.background !== background) {
    known = { facts: schemeColors(color.value).flatMap((part) => describePart(part, background)), background }
    measured.set(color, known)
  }
  return known.facts
}

function describePart(part: SchemeColor, background: string | undefined): SchemeFacts[] {
  const facts = describeColor(part.value, background)
  return facts ? [{ ...part, ...facts }] : []
}

/**
 * A color as an SVG: its `fill` attribute takes any CSS color, and no Content-Security-Policy counts it as a style. With
 * a value that the browser does not know, the attribute counts as absent, and the `none` around it shows the ground.
 */
function Paint({ color }: { color: StyleColor }) {
  const fill = svgFill(color)
  return (
    <svg className="sw-paint" width="100%" height="80" fill="none" aria-hidden="true">
      {/* Wider than its place, since the edge of a rectangle that ends within a pixel is half transparent. */}
      {fill && <rect width="110%" height="110%" fill={fill} />}
    </svg>
  )
}

interface ContrastOnProps {
  ground: string | undefined
  contrast: Contrast
  className?: string
}

function ContrastOn({ ground, contrast: { ratio, level }, className }: ContrastOnProps) {
  return (
    <div className={className}>
      <dt>
        <span className="sw-hidden">Contrast on </span>
        {ground}
      </dt>
      <dd>
        {ratio.toFixed(2)} {level !== 'none' && <abbr>{level}</abbr>}
      </dd>
    </div>
  )
}
