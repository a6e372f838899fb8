import { Spacing } from 'sitewright/react/spacing'

// A large margin on both sides; from the md breakpoint on a small one above, and still the large one below.
export const Section = () => (
  <Spacing as="section" marginXs="large" marginMd="topSmall">
    <p>Text</p>
  </Spacing>
)
