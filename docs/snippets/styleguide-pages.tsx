import {
  componentPage,
  SpacingPage,
  type StyleguideTree,
  TypographyPage,
} from 'sitewright/react/styleguide'
import type { Styles } from 'sitewright/styleguide'

const Button = ({ disabled = false }) => (
  <button type="button" disabled={disabled}>
    Read on
  </button>
)

export const pagesOf = ({ typography, spacing }: Styles): StyleguideTree[] => [
  {
    title: 'Typography',
    content: (
      <TypographyPage
        typography={typography}
        styles={[
          {
            name: 'Heading',
            size: 'clamp(2.5rem, 1.65rem + 3.6vw, 4.75rem)',
            weight: '350',
            lineHeight: '1.02',
          },
          { name: 'Body', size: '1.125rem', lineHeight: '1.6', measure: '38rem' },
        ]}
      />
    ),
  },
  { title: 'Spacing', content: <SpacingPage spacing={spacing} /> },
  componentPage({
    title: 'Button',
    variants: [
      {
        title: 'Loud',
        content: <Button />,
        states: [{ title: 'Disabled', content: <Button disabled /> }],
        source: '<Button />',
      },
    ],
    props: [
      {
        name: 'disabled',
        type: 'boolean',
        defaultValue: 'false',
        description: 'Whether it can be clicked.',
      },
    ],
  }),
]
