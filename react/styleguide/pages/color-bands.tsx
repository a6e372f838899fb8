import { svgFill } from '../../../core/styleguide/internal.js'

const full = { width: '110%', height: '110%' }

/**
 * Colors as bands of an SVG, one below the other. The `fill` attribute accepts any CSS color, and a
 * Content-Security-Policy does not treat the attribute as a style. For a value that the browser does not know, the
 * inherited `fill`, `none`, lets the background show.
 */
export function Bands({ values }: { values: readonly string[] }) {
  const height = 100 / values.length
  return (
    <svg className="sw-paint sw-bands" fill="none" aria-hidden="true">
      {values.map((value, index) => {
        const fill = svgFill({ name: '', value })
        // The bands are larger than the SVG, because a rectangle that ends within a pixel has a translucent edge.
        const size = { x: '-5%', y: `${index * height}%`, width: '120%', height: `${height + 10}%` }
        // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat
        return fill && <rect key={index} {...(values.length > 1 ? size : full)} fill={fill} />
      })}
    </svg>
  )
}
