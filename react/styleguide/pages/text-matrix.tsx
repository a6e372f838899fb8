import {
  type MeasuredPair,
  type MeasuredPairs,
  type PaletteColor,
  svgFill,
  type TextMatrix,
  textOn,
  valueIn,
} from '../../../core/styleguide/internal.js'
import { evenRows } from './color-strip.js'
import { ColorTrial } from './color-trial.js'
import { ModeName, roomOf } from './mode-name.js'
import { PageSection } from './page-section.js'
import type { ArrangedPalette } from './palette.js'

/** More texts or grounds are no matrix. Beyond `fewGrounds`, the pairs that belong together are shown before it. */
const [mostOfMatrix, fewGrounds] = [17, 8]

interface TextOnGroundProps {
  palette: ArrangedPalette
  matrix: TextMatrix
  /** Whether the palette is small enough for a matrix. */
  isSmall: boolean
}

/** The id of the section. */
export const textOnGround = 'text-on-ground'

/** Whether there is anything to say of texts on grounds. */
export function hasTextOnGround({ matrix, isSmall }: TextOnGroundProps): boolean {
  return matrix.own.length > 0 || (isSmall && isMatrix(matrix))
}

function isMatrix({ texts, grounds }: TextMatrix): boolean {
  const longest = Math.max(texts.length, grounds.length)
  return texts.length > 0 && grounds.length > 0 && longest > 1 && longest <= mostOfMatrix
}

/** Which text may stand on which ground: a matrix for each mode, or the pairs that belong together by their names. */
export function TextOnGround(props: TextOnGroundProps) {
  const { palette, matrix, isSmall } = props
  const hasMatrix = isSmall && isMatrix(matrix)
  const modes = palette.modes.length > 0 ? palette.modes : [undefined]
  const isLong = matrix.grounds.length > fewGrounds
  return (
    <PageSection title="Text on ground" id={textOnGround}>
      {(isLong || !hasMatrix) && matrix.own.length > 0 && (
        <ul className="sw-tiles">
          {matrix.own.map((pair, index, { length }) => (
            <Tile
              key={`${pair.text.name} ${pair.ground.name}`}
              pair={pair}
              place={`sw-k${evenRows(length, 7)[index]} sw-n${evenRows(length, 3)[index]}`}
            />
          ))}
        </ul>
      )}
      {hasMatrix && (
        <>
          <div className="sw-rooms">
            {modes.map((mode) => {
              const table = <Matrix key={mode ?? ''} palette={palette} matrix={matrix} mode={mode} />
              if (!isLong) return table
              return (
                <details key={mode ?? ''}>
                  <summary>
                    {matrix.texts.length} texts on {matrix.grounds.length} grounds{mode && `, ${mode}`}
                  </summary>
                  {table}
                </details>
              )
            })}
          </div>
          <p className="sw-small">
            A row is a ground, a column a text. 4.5 and more: every text. 3 to 4.5: large text, from 24 px, or 19 px
            bold. <s>2.9</s> crossed out: no text. Underlined: they belong together by their names.
          </p>
          <ColorTrial palette={palette} matrix={matrix} />
        </>
      )}
    </PageSection>
  )
}

/** A text on its ground, with both names for a screen reader. `place` has the classes for its share of its row. */
function Tile({ pair: { text, ground, modes, isFailing }, place }: { pair: MeasuredPairs; place: string }) {
  const pairIn = (name: string) => modes.find(({ mode }) => mode === name)
  const [light, dark] = [pairIn('light'), pairIn('dark')]
  const Ratios = isFailing ? 's' : 'span'
  const paint = (key: 'text' | 'ground') =>
    light && dark ? `light-dark(${light[key]}, ${dark[key]})` : (modes[0]?.[key] ?? '')
  const ratios = modes.map(({ contrast }) => contrast?.ratio.toFixed(1) ?? '?').join(' / ')
  return (
    <li className={place}>
      <svg className="sw-bands" fill="none" aria-hidden="true" color={svgFill({ name: '', value: paint('text') })}>
        <rect width="100%" height="100%" color={paint('ground')} fill={svgFill({ name: '', value: paint('ground') })} />
        <foreignObject width="100%" height="100%">
          <div>
            Aa <span>{text.name}</span> <Ratios>{ratios}</Ratios>
          </div>
        </foreignObject>
      </svg>
      <span className="sw-hidden">
        {text.name} on {ground.name}: {ratios}
      </span>
    </li>
  )
}

interface MatrixProps {
  palette: ArrangedPalette
  matrix: TextMatrix
  mode: string | undefined
}

function Matrix({ palette, matrix, mode }: MatrixProps) {
  const { texts, grounds, own, measure } = matrix
  const labelsOf = (ground: PaletteColor) => {
    const texts = own.filter((pair) => pair.ground === ground || pair.ground === grounds[0]).map(({ text }) => text)
    return [...texts, ...grounds.slice(0, 1)].flatMap((color) => valueIn(color, palette.modes, mode) ?? [])
  }
  const page = grounds[0] && valueIn(grounds[0], palette.modes, mode)
  const isOwn = (text: PaletteColor, ground: PaletteColor) =>
    own.some((pair) => pair.text === text && pair.ground === ground)
  return (
    <table
      className={`sw-matrix sw-n${evenRows(texts.length, 5)[0]} ${roomOf(mode)}${texts.length > fewGrounds ? ' sw-narrow-heads' : ''}`}
    >
      {mode && (
        <caption>
          <ModeName mode={mode} />
        </caption>
      )}
      <thead>
        <tr>
          <td />
          {texts.map(({ name }) => (
            <th key={name} scope="col">
              <span>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {grounds.map((ground) => {
          const value = valueIn(ground, palette.modes, mode) ?? ''
          const label = textOn(value, labelsOf(ground), page)
          return (
            <tr key={ground.name}>
              <th scope="row">
                <svg className="sw-ground" aria-hidden="true">
                  <rect width="100%" height="100%" fill={svgFill({ name: '', value })} />
                </svg>
                <svg color={label} aria-hidden="true">
                  <foreignObject width="100%" height="100%">
                    <div>{ground.name}</div>
                  </foreignObject>
                </svg>
                <span className="sw-hidden">{ground.name}</span>
              </th>
              {texts.map((text) => {
                const pair = text === ground ? undefined : measure(text, ground, mode)
                return <Cell key={text.name} name={text.name} pair={pair} label={label} isOwn={isOwn(text, ground)} />
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface CellProps {
  name: string
  pair: MeasuredPair | undefined
  label: string
  /** Whether the two colors belong together by their names. */
  isOwn: boolean
}

/** A text on its ground, painted in an SVG with its ratio, and in words for a screen reader. */
function Cell({ name, pair, label, isOwn }: CellProps) {
  const contrast = pair?.contrast
  if (!contrast) return <td />
  const { ratio, level } = contrast
  return (
    <td>
      <svg className={level === 'none' ? 'sw-struck' : isOwn ? 'sw-own' : undefined} color={label} aria-hidden="true">
        <text x="50%" y="26" fill={svgFill({ name: '', value: pair.text })}>
          Aa
        </text>
        {level === 'none' && (
          <svg x="50%" y="18" overflow="visible" aria-hidden="true">
            <path d="M-14 7L14-7" stroke="currentColor" />
          </svg>
        )}
        <text className="sw-ratio" x="50%" y="46" fill="currentColor">
          {ratio.toFixed(1)}
          {level === 'AA large' && ' large'}
        </text>
        <foreignObject y="50" width="100%" height="32">
          <div>{name}</div>
        </foreignObject>
      </svg>
      <span className="sw-hidden">
        {ratio.toFixed(2)} {verdicts[level]}
      </span>
    </td>
  )
}

const verdicts = { AAA: 'AAA', AA: 'AA', 'AA large': 'large text only', none: 'fails' }
