import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ColorPage, type StyleguideTree } from 'sitewright/react/styleguide'
import { fromCssVariables } from 'sitewright/styleguide'
import type { Site } from './content/site.ts'
import { Card } from './parts/card.tsx'
import { Figure } from './parts/figure.tsx'
import type { PictureComponent } from './parts/picture.ts'

/**
 * Makes the styleguide of the site: its colors, as its stylesheet has them, and its components with real content.
 *
 * @param styles The folder of `tokens.css`.
 */
export async function createStyleguideTree(
  styles: string,
  site: Site,
  Picture: PictureComponent,
): Promise<StyleguideTree> {
  const colors = fromCssVariables(await readFile(join(styles, 'tokens.css'), 'utf8'))
  const article = site.home.cover
  return {
    title: 'Styleguide',
    content: (
      <p>Silver &amp; Salt looks like the prints that it shows: warm paper, dark ink, and much room around both.</p>
    ),
    pages: [
      { title: 'Colors', content: <ColorPage colors={colors} layout="grouped" /> },
      { title: 'All colors', content: <ColorPage colors={colors} /> },
      {
        title: 'Components',
        pages: [
          { title: 'Card', content: <Card site={site} article={article} span={6} Picture={Picture} /> },
          {
            title: 'Figure',
            content: <Figure site={site} photograph={article.photograph} place="inline" Picture={Picture} />,
          },
        ],
      },
    ],
  }
}
