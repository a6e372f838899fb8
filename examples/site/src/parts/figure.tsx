import type { Photograph } from '../content/photographs.ts'
import type { Site } from '../content/site.ts'
import { isPortrait, type PictureComponent, pictureIn } from './picture.ts'

export interface FigureProps {
  site: Site
  photograph: Photograph
  Picture: PictureComponent
  /** `lead`: over an article, as wide as the original bears. `inline`: within its text. */
  place: 'lead' | 'inline'
  /** Said before the credit. */
  remark?: string | undefined
}

// The greatest width of each place, and the stylesheet's widths of it as `sizes`.
const places = {
  lead: {
    landscape: { width: 1024, sizes: '(min-width: 1114px) 1024px, (min-width: 45rem) 92vw, 100vw' },
    portrait: { width: 640, sizes: '(min-width: 45rem) 640px, 100vw' },
  },
  inline: {
    landscape: { width: 832, sizes: '(min-width: 905px) 832px, 92vw' },
    portrait: { width: 448, sizes: '(min-width: 488px) 448px, 92vw' },
  },
}

/** A photograph with its caption: who, what, when, how, and where it is kept. */
export function Figure({ site, photograph, Picture, place, remark }: FigureProps) {
  const orientation = isPortrait(photograph) ? 'portrait' : 'landscape'
  const { width, sizes } = places[place][orientation]
  return (
    <figure className={`figure figure-${place} figure-${orientation}`}>
      <Picture {...pictureIn(photograph, width)} sizes={sizes} {...(place === 'lead' && { priority: true })} />
      <Caption site={site} photograph={photograph} remark={remark} />
    </figure>
  )
}

export function Caption({ site, photograph, remark }: Pick<FigureProps, 'site' | 'photograph' | 'remark'>) {
  const { photographer, title, date, process, credit } = photograph
  return (
    <figcaption>
      {remark && <span className="remark">{remark} </span>}
      {photographer}, <cite>{title}</cite>, {date}. {process}.{' '}
      <a href={credit} rel="external">
        {site.labels.viewAtMuseum}
      </a>
    </figcaption>
  )
}
