import { type MeasuredPairs, type PaletteColor, type TextMatrix, valueIn } from '../../../core/styleguide/internal.js'
import { Bands } from './color-detail.js'
import { evenRows } from './color-strip.js'
import { ColorTrial, type ColorTrialProps } from './color-trial.js'
import { ModeName, roomOf } from './mode-name.js'
import { PageSection } from './page-section.js'
import { Painted, Sample } from './painted.js'
import { type ArrangedPalette, presentValue, textIn } from './palette.js'
import { formatRatio } from './trial-answer.js'

/**
 * More texts or grounds are no matrix. Beyond `few`, it has the present mode only, and on a narrow screen leaves out the
 * texts that fail.
 */
const [mostOfMatrix, few] = [17, 8]

interface TextOnGroundProps extends ColorTrialProps {
  /** Whether the palette is small enough for a matrix. */
  isSmall: boolean
}

/** The id of the section. */
export const textOnGround = 'text-on-ground'

/**
 * Which text may stand on which ground: a matrix for each mode, or the pairs that belong together by their names. Returns
 * `undefined` if there is neither.
 */
export function TextOnGround({ palette, matrix, isSmall, specimen }: TextOnGroundProps) {
  const counts = [matrix.texts.length, matrix.grounds.length]
  const longest = Math.max(...counts)
  const hasMatrix = isSmall && !counts.includes(0) && longest > 1 && longest <= mostOfMatrix
  const isLong = longest > few
  if (!hasMatrix && matrix.own.length === 0) return undefined
  const modes = palette.modes.length > 0 ? palette.modes : [undefined]
  const levels = (hasMatrix ? modes : []).flatMap((mode) =>
    matrix.grounds.flatMap((ground) =>
      matrix.texts.map((text) => measureCell(matrix, text, ground, mode)?.contrast?.level),
    ),
  )
  return (
    <PageSection title="Text on ground" id={textOnGround}>
      {(isLong || !hasMatrix) && matrix.own.length > 0 && (
        <ul className="sw-tiles">
          {matrix.own.map((pair, index, { length }) => (
            <li key={`${pair.text.name} ${pair.ground.name}`} className={evenRows(length, 7, 3)[index]}>
              <Tile pair={pair} palette={palette} />
            </li>
          ))}
        </ul>
      )}
      {hasMatrix && (
        <>
          <div className="sw-rooms">
            {modes.map((mode) => (
              <Matrix key={mode ?? ''} palette={palette} matrix={matrix} mode={mode} isLong={isLong} />
            ))}
          </div>
          <p className="sw-small sw-codes">
            <span>4.5 and more: every text.</span>
            {levels.includes('AA large') && <span>3 to 4.5: large text, from 24 px, or 19 px bold.</span>}
            {levels.includes('none') && <span>Below 3, crossed out{isLong && ' or left out'}: no text.</span>}
            {matrix.own.length > 0 && <span>Underlined: a pair by its names.</span>}
          </p>
          <ColorTrial palette={palette} matrix={matrix} specimen={specimen} />
        </>
      )}
    </PageSection>
  )
}

function Tile({ pair, palette }: { pair: MeasuredPairs; palette: ArrangedPalette }) {
  const { text, ground, modes, isFailing } = pair
  const Ratios = isFailing ? 's' : 'span'
  return (
    <Painted text={presentValue(text, palette)} ground={presentValue(ground, palette)}>
      Aa <span>{text.name}</span> <span className="sw-hidden">on {ground.name} </span>
      <Ratios>{modes.map(({ contrast }) => (contrast ? formatRatio(contrast.ratio) : '?')).join(' / ')}</Ratios>
    </Painted>
  )
}

interface MatrixProps {
  palette: ArrangedPalette
  matrix: TextMatrix
  mode: string | undefined
  isLong: boolean
}

function Matrix({ palette, matrix, mode, isLong }: MatrixProps) {
  const { texts, grounds } = matrix
  const page = grounds[0] && valueIn(grounds[0], palette.modes, mode)
  return (
    <table className={`sw-matrix ${roomOf(mode)}${isLong ? ' sw-many' : ''}`}>
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
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {grounds.map((ground) => {
          const label = textIn(palette, ground, mode, 4.5, page)
          return (
            <tr key={ground.name}>
              <th scope="row">
                <Bands values={[valueIn(ground, palette.modes, mode) ?? '']} />
                <Painted text={label}>{ground.name}</Painted>
              </th>
              {texts.map((text) => (
                <Cell key={text.name} matrix={matrix} text={text} ground={ground} mode={mode} label={label} />
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Returns the pair of a cell, unless both are one color. */
const measureCell = ({ measure }: TextMatrix, text: PaletteColor, ground: PaletteColor, mode: string | undefined) =>
  text === ground ? undefined : measure(text, ground, mode)

interface CellProps extends Pick<MatrixProps, 'matrix' | 'mode'> {
  text: PaletteColor
  ground: PaletteColor
  label: string
}

function Cell({ matrix, text, ground, mode, label }: CellProps) {
  const pair = measureCell(matrix, text, ground, mode)
  if (!pair?.contrast) return <td />
  const { ratio, level } = pair.contrast
  const isOwn = matrix.own.some((other) => other.text === text && other.ground === ground)
  const isStruck = level === 'none'
  const Ratio = isStruck ? 's' : 'span'
  return (
    <td>
      <Painted text={label}>
        <Sample text={pair.text} isStruck={isStruck} isUnderlined={isOwn} />
        <Ratio>{level === 'AA large' ? `${formatRatio(ratio)} large` : formatRatio(ratio)}</Ratio>{' '}
        {isStruck && <span className="sw-hidden">fails </span>}
        <span className="sw-name">{text.name}</span>
      </Painted>
    </td>
  )
}
