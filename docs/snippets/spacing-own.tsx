import { createSpacing } from 'sitewright/react/spacing'
import { spacingStylesheet } from 'sitewright/spacing'

const scale = {
  breakpoints: { phone: '0', desktop: '60rem' },
  sizes: { tight: '0.5rem', wide: '4rem' },
} as const

/** Write it to a file, in a build step. */
export const css = spacingStylesheet(scale)

export const Spacing = createSpacing(scale)
export const Section = () => (
  <Spacing as="section" marginPhone="tight" marginDesktop="topWide" />
)
