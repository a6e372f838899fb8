import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readStyleguidePages } from 'sitewright/mdx'
import {
  AdoptionPage,
  BreakpointsPage,
  ColorPage,
  ImagesPage,
  SpacingPage,
  type StyleguideTree,
  type TextStyle,
  TypographyPage,
} from 'sitewright/react/styleguide'
import { fromCssVariables, type MeasuredImage, type Typography } from 'sitewright/styleguide'
import { componentPages } from './component-pages.tsx'
import type { Site } from './content/site.ts'
import { Figure } from './parts/figure.tsx'
import type { PictureComponent } from './parts/picture.ts'

export interface StyleguideParts {
  /** The folder of `tokens.css`. */
  styles: string
  /** Folder of the pages in Markdown and MDX, and of the output of `sitewright styleguide check --json`. */
  pages: string
  site: Site
  Picture: PictureComponent
  /** Measures a photograph at every width. */
  measure: (src: string) => Promise<MeasuredImage[]>
}

// The widths at which styles/*.css change the layout.
const breakpoints = [
  { name: 'phone', value: '0' },
  { name: 'columns', value: '45rem' },
  { name: 'hero', value: '64rem' },
  { name: 'grid', value: '72rem' },
]

/** Creates the site's styleguide: the foundations as read from its stylesheet, and its components with real content. */
export async function createStyleguideTree(parts: StyleguideParts): Promise<StyleguideTree> {
  const { styles, pages, site, Picture, measure } = parts
  const tokens = await readFile(join(styles, 'tokens.css'), 'utf8')
  const { colors, typography, spacing } = fromCssVariables(tokens, {
    typography: { families: ['--serif', '--sans'], sizes: '--size-*' },
  })
  const Photograph = createPhotograph(parts)
  const written = await readStyleguidePages(pages, { components: { Photograph } })
  const adoption = JSON.parse(await readFile(join(pages, 'adoption.json'), 'utf8'))
  const { alt, src } = site.home.cover.photograph
  const measured = once(() => measure(src))
  return {
    title: 'Silver & Salt',
    description: written.description,
    pages: [
      {
        title: 'Foundations',
        pages: [
          { title: 'Colors', content: <ColorPage colors={colors} /> },
          {
            title: 'Typography',
            content: <TypographyPage typography={typography} styles={textStyles(typography)} sample={site.name} />,
          },
          { title: 'Spacing', content: <SpacingPage spacing={spacing} /> },
          { title: 'Breakpoints', content: <BreakpointsPage breakpoints={breakpoints} /> },
          {
            title: 'Images',
            description: 'One photograph at every width, and its bytes',
            content: async () => <ImagesPage images={await measured()} alt={alt} />,
            // The cover shows this photograph as the picture of the page Images.
            pages: [{ title: 'Photograph', bare: true, content: <Photograph src={src} /> }],
          },
        ],
      },
      { title: 'Components', pages: componentPages(site, Picture) },
      ...(written.pages ?? []),
      { title: 'Adoption', content: <AdoptionPage adoption={adoption} /> },
    ],
  }
}

/** The site's styles of text, as base.css and figure.css compose them. */
function textStyles({ families = [], sizes = [] }: Typography): TextStyle[] {
  const [serif, sans] = ['serif', 'sans'].map((name) => families.find((family) => family.name === name)?.value)
  const sizeOf = (name: string) => sizes.find((size) => size.name === name)?.value ?? '1rem'
  return [
    {
      name: 'Heading',
      family: serif,
      size: sizeOf('head'),
      weight: '350',
      lineHeight: '1.02',
      letterSpacing: '-0.028em',
    },
    { name: 'Deck', family: serif, size: sizeOf('deck'), weight: '400', lineHeight: '1.36' },
    { name: 'Body', family: serif, size: sizeOf('text'), weight: '400', lineHeight: '1.6', measure: '38rem' },
    { name: 'Caption', family: sans, size: sizeOf('small'), weight: '400', lineHeight: '1.55', measure: '24rem' },
  ]
}

/** A photograph with its caption, for pages in MDX: `<Photograph src="/media/march-pastoral.jpg" />`. */
function createPhotograph({ site, Picture }: StyleguideParts) {
  return ({ src, remark }: { src: string; remark?: string }) => {
    const photograph = site.photographs.get(src)
    if (!photograph) throw new Error(`src: expected a photograph of content/photographs.yaml, got '${src}'`)
    return (
      <div className="specimen">
        <Figure site={site} photograph={photograph} layout="inline" remark={remark} Picture={Picture} />
      </div>
    )
  }
}

/** Calls an async function once, and again only if it rejected. */
function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
