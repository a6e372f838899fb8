import { type ColorFacts, type Contrast, describeColor, paintOf, type StyleColor } from '../../core/styleguide/index.js'

/** One color: painted, with its name, value, contrast, and what is wrong with it. */
export function Swatch({ id, color }: { id: string; color: StyleColor }) {
  const { name, value, alias, problem } = color
  const facts = factsOf(color)
  return (
    <li className="sw-swatch" id={id}>
      <Paint color={color} />
      <div className="sw-swatch-text">
        <a className="sw-anchor sw-swatch-name" href={`#${encodeURIComponent(id)}`}>
          {name}
        </a>
        {value && <code>{value}</code>}
        {facts?.hex && facts.hex !== value.toLowerCase() && <code>{facts.hex}</code>}
        {alias && (
          <p className="sw-note">
            alias of <code>{alias}</code>
          </p>
        )}
        {problem && <p className="sw-problem">{problem}</p>}
        {facts && (
          <>
            {!facts.hex && <p className="sw-note">outside of sRGB</p>}
            <dl className="sw-contrast">
              <ContrastOn ground="white" contrast={facts.onWhite} />
              <ContrastOn ground="black" contrast={facts.onBlack} />
            </dl>
          </>
        )}
      </div>
    </li>
  )
}

// A configuration is read once and shown often; so its colors are measured once.
const measured = new WeakMap<StyleColor, ColorFacts | undefined>()

function factsOf(color: StyleColor): ColorFacts | undefined {
  if (!measured.has(color)) measured.set(color, describeColor(color.value))
  return measured.get(color)
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

function ContrastOn({ ground, contrast: { ratio, level } }: { ground: string; contrast: Contrast }) {
  return (
    <div>
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
