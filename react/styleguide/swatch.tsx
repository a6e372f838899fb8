import { type ColorFacts, type Contrast, describeColor, paintOf, type StyleColor } from '../../core/styleguide/index.js'

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
      {facts?.hex && !value.startsWith('#') && <code>{facts.hex}</code>}
      {alias && <p className="sw-note">alias of {alias}</p>}
      {problem && <p className="sw-problem">{problem}</p>}
      {facts && !facts.hex && <p className="sw-note">outside of sRGB</p>}
      {facts && (
        <dl className="sw-contrast">
          <ContrastOn ground="white" contrast={facts.onWhite} />
          <ContrastOn ground="black" contrast={facts.onBlack} />
          {facts.onBackground && <ContrastOn className="sw-chosen" ground={background} contrast={facts.onBackground} />}
        </dl>
      )}
    </li>
  )
}

interface Measured {
  facts: ColorFacts | undefined
  background: string | undefined
}

// A configuration is read once and shown often; so its colors are measured once.
const measured = new WeakMap<StyleColor, Measured>()

function factsOf(color: StyleColor, background: string | undefined): ColorFacts | undefined {
  let known = measured.get(color)
  if (!known || known.background !== background) {
    known = { facts: describeColor(color.value, background), background }
    measured.set(color, known)
  }
  return known.facts
}

/**
 * A color as an SVG: its `fill` attribute takes any CSS color, and no Content-Security-Policy counts it as a style. With
 * a value that the browser does not know, the attribute counts as absent, and the `none` around it shows the ground.
 */
function Paint({ color }: { color: StyleColor }) {
  const fill = paintOf(color)
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
