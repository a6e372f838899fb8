import { Spacing } from 'sitewright/react/spacing'

// A large margin above and below. From the md breakpoint on, a small one above.
export const Section = () => (
  <Spacing as="section" marginXs="large" marginMd="topSmall">
    <p>Text</p>
  </Spacing>
)
