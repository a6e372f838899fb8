import { type MeasuredPair, type MeasuredPairs, svgFill } from '../../../core/styleguide/internal.js'
import { Level } from './color-detail.js'
import { PageSection } from './page-section.js'

/** Passing pairs are folded if there are more than this number. */
const manyPairs = 24

/** Text colors on their backgrounds. */
export function ColorPairs({ pairs }: { pairs: readonly MeasuredPairs[] }) {
  const failing = pairs.filter(({ isFailing }) => isFailing)
  const passing = pairs.filter(({ isFailing }) => !isFailing)
  return (
    <PageSection title="Pairs">
      {failing.length > 0 && <PairList pairs={failing} />}
      {passing.length > manyPairs ? (
        <details>
          <summary className="sw-fold">{passing.length} pairs pass</summary>
          <PairList pairs={passing} />
        </details>
      ) : (
        passing.length > 0 && <PairList pairs={passing} />
      )}
    </PageSection>
  )
}

function PairList({ pairs }: { pairs: readonly MeasuredPairs[] }) {
  return (
    <ul className="sw-pairs">
      {pairs.map(({ text, ground, modes, isFailing }) => (
        <li key={`${text.name} ${ground.name}`} className={isFailing ? 'sw-failing' : undefined}>
          <div>
            {modes.map((pair) => (
              <Pair key={pair.mode ?? ''} pair={pair} />
            ))}
          </div>
          <strong>{text.name}</strong> <span>on {ground.name}</span>
        </li>
      ))}
    </ul>
  )
}

/** Real text, painted in an SVG, since attributes of an SVG are not inline styles. */
function Pair({ pair: { mode, text, ground, contrast } }: { pair: MeasuredPair }) {
  return (
    <figure>
      <svg className="sw-paint" fill="none" aria-hidden="true">
        <rect width="110%" height="110%" fill={svgFill({ name: '', value: ground })} />
        <g fill={svgFill({ name: '', value: text })}>
          <text x="16" y="48">
            Aa
          </text>
          <text x="16" y="76">
            Body, 16 px
          </text>
        </g>
      </svg>
      <figcaption>
        {mode && <em>{mode}</em>}
        {contrast ? (
          <>
            {contrast.ratio.toFixed(2)} <Level level={contrast.level} />
          </>
        ) : (
          'in the browser only'
        )}
      </figcaption>
    </figure>
  )
}
