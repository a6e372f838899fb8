import type { Photograph } from '../content/photographs.ts'
import type { Site } from '../content/site.ts'
import { imageProps, isPortrait, type PictureComponent } from './picture.ts'

export interface FigureProps {
  site: Site
  photograph: Photograph
  Picture: PictureComponent
  /** `lead`: above an article, up to the width of the original. `inline`: within its text. */
  layout: 'lead' | 'inline'
  /** Shown before the credit. */
  remark?: string | undefined
}

// The maximum width of each layout, and its widths in the stylesheet as `sizes`.
const layouts = {
  lead: {
    landscape: { width: 1024, sizes: '(min-width: 1114px) 1024px, (min-width: 45rem) 92vw, 100vw' },
    portrait: { width: 640, sizes: '(min-width: 45rem) 640px, 100vw' },
  },
  inline: {
    landscape: { width: 832, sizes: '(min-width: 905px) 832px, 92vw' },
    portrait: { width: 448, sizes: '(min-width: 488px) 448px, 92vw' },
  },
}

/** A photograph with its caption: photographer, title, date, process and museum. */
export function Figure({ site, photograph, Picture, layout, remark }: FigureProps) {
  const orientation = isPortrait(photograph) ? 'portrait' : 'landscape'
  const { width, sizes } = layouts[layout][orientation]
  return (
    <figure className={`figure figure-${layout} figure-${orientation}`}>
      <Picture {...imageProps(photograph, width)} sizes={sizes} {...(layout === 'lead' && { priority: true })} />
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
