import type { ReactNode } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { createImages } from 'sitewright/image'
import { createRoutes, type LocalizedPage } from 'sitewright/localized-pages'
import { createImageComponent } from 'sitewright/react/image'
import { LanguageSwitch } from 'sitewright/react/localized-pages'
import { Spacing } from 'sitewright/react/spacing'
import { ColorPage, StyleguidePage } from 'sitewright/react/styleguide'
import { sharpService } from 'sitewright/sharp'
import { fromCssVariables, type StyleguideView } from 'sitewright/styleguide'

const origin = 'https://www.example.com'

export const images = createImages({
  sources: { '/media/': './media' },
  service: sharpService(),
})
const Image = createImageComponent(images.loader)

export const routes = createRoutes({
  languages: ['en', 'de'],
  default: 'en',
  paths: { '/about': { de: '/ueber-uns' } },
})

const respond = async (page: ReactNode, status: number, cacheControl: string) => {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': cacheControl,
  }
  return new Response(await renderToReadableStream(page), { status, headers })
}

export const renderPage = (page: LocalizedPage<'en' | 'de'>) => {
  const body = (
    <html {...routes.html(page.language)}>
      <head>
        <link rel="stylesheet" href="/sitewright/spacing.css" />
        {routes.links(page, origin).map((link) => (
          <link key={link.hrefLang ?? link.rel} {...link} />
        ))}
      </head>
      <LanguageSwitch links={routes.languageLinks(page)} aria-label="Language" />
      <Spacing as="main" marginXs="small" marginMd="large">
        <h1>{page.route ?? 'Not found'}</h1>
        <Image
          src="/media/black-canyon.jpg"
          alt="The Black Canyon"
          width={640}
          height={469}
        />
      </Spacing>
    </html>
  )
  return respond(body, page.route ? 200 : 404, 'public, max-age=0, s-maxage=86400')
}

const { colors } = fromCssVariables(
  ':root { --color-paper: #f6f1e6; --color-ink: #241a13 }',
)
export const tree = {
  title: 'Styleguide',
  pages: [{ title: 'Colors', content: <ColorPage colors={colors} /> }],
}

export const renderStyleguide = ({ slug, prefix, query, error }: StyleguideView) => {
  const body = (
    <html lang="en">
      <link rel="stylesheet" href="/sitewright/styleguide.css" />
      <script src="/sitewright/styleguide.js" />
      <StyleguidePage tree={tree} slug={slug} prefix={prefix} query={query} error={error} />
    </html>
  )
  return respond(body, 200, 'no-store')
}
