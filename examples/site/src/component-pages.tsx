import { componentPage, type StyleguideTree } from 'sitewright/react/styleguide'
import { routes } from './content/languages.ts'
import type { Site } from './content/site.ts'
import { Card } from './parts/card.tsx'
import { Figure } from './parts/figure.tsx'
import { Footer } from './parts/footer.tsx'
import { LanguageSwitch } from './parts/language-switch.tsx'
import { Masthead } from './parts/masthead.tsx'
import { isPortrait, type PictureComponent } from './parts/picture.ts'
// Written by `node read-props.js` from the components' types.
import props from './props.json'
import type { Page } from './routes.ts'

// The widths to choose from; the first is selected initially. Media queries apply to the width of each frame.
const narrowWidths = [390, 768]
const allWidths = [1280, 768, 390]

/** The site's own components, each with its variants. */
export function componentPages(site: Site, Picture: PictureComponent): StyleguideTree[] {
  const article = site.home.cover
  const photographs = [...site.photographs.values()]
  const portrait = photographs.find(isPortrait)
  // Another photograph than the card's, so that the overview shows each component by a picture of its own.
  const landscape =
    photographs.find((photograph) => photograph !== article.photograph && !isPortrait(photograph)) ?? article.photograph
  const localized = { ...routes.match('/'), translations: { en: '/', de: '/de' } }
  const page: Page = { kind: 'home', site, localized, title: site.home.title, summary: site.home.summary }
  return [
    componentPage({
      title: 'Masthead',
      description: 'The header of every page: the navigation, the nameplate, and the languages.',
      props: props.Masthead,
      variants: [
        {
          title: 'On the front page',
          content: <Masthead page={page} />,
          source: '<Masthead page={page} />',
          widths: allWidths,
          layout: 'fullscreen',
        },
      ],
    }),
    componentPage({
      title: 'Footer',
      description: 'The end of every page: the languages, and where the photographs are kept.',
      props: props.Footer,
      variants: [
        {
          title: 'In English',
          content: <Footer page={page} />,
          source: '<Footer page={page} />',
          widths: allWidths,
          layout: 'fullscreen',
        },
      ],
    }),
    componentPage({
      title: 'Card',
      description: 'Links to an article: its photograph, what it is about, and how long it takes to read.',
      props: props.Card,
      variants: [
        {
          title: 'Half of the grid',
          content: <Card site={site} article={article} span={6} Picture={Picture} />,
          source: '<Card\n  site={site}\n  article={article}\n  span={6}\n  Picture={Picture}\n/>',
          widths: narrowWidths,
        },
        {
          title: 'A third of the grid',
          content: <Card site={site} article={article} span={4} Picture={Picture} />,
          source: '<Card\n  site={site}\n  article={article}\n  span={4}\n  Picture={Picture}\n/>',
        },
      ],
    }),
    componentPage({
      title: 'Figure',
      description: 'A photograph with its caption: who, what, when, how, and where it is kept.',
      props: props.Figure,
      variants: [
        {
          title: 'Within a text',
          content: <Figure site={site} photograph={landscape} layout="inline" Picture={Picture} />,
          source: '<Figure\n  site={site}\n  photograph={landscape}\n  layout="inline"\n  Picture={Picture}\n/>',
          widths: narrowWidths,
        },
        ...(portrait
          ? [
              {
                title: 'Portrait, with a remark',
                content: (
                  <Figure site={site} photograph={portrait} layout="inline" remark="Held still." Picture={Picture} />
                ),
                source:
                  '<Figure\n  site={site}\n  photograph={portrait}\n  layout="inline"\n  remark="Held still."\n  Picture={Picture}\n/>',
              },
            ]
          : []),
      ],
    }),
    componentPage({
      title: 'Language switch',
      description: 'Links to the same page in the other language. In the masthead and the footer.',
      props: props.LanguageSwitch,
      variants: [
        {
          title: 'In the masthead',
          content: <LanguageSwitch page={page} />,
          decorator: (content) => <div className="masthead">{content}</div>,
          source: '<LanguageSwitch page={page} />',
        },
        {
          title: 'In the footer',
          content: <LanguageSwitch page={page} />,
          decorator: (content) => <div className="footer">{content}</div>,
          source: '<LanguageSwitch page={page} />',
        },
      ],
    }),
  ]
}
