import type { ReactNode } from 'react'
import type { CardMeta } from 'sitewright/image'
import { routes } from './content/languages.ts'
import { PageBody } from './page-body.tsx'
import type { PictureComponent } from './parts/picture.ts'
import type { Page } from './routes.ts'

/** URLs of the files that every page links to. */
export interface SiteAssets {
  stylesheet: string
  icon: string
  /** Fonts to preload: with `font-display: optional` (styles/fonts.css) they show immediately or not at all. */
  fonts: readonly string[]
}

export interface DocumentProps {
  page: Page
  Picture: PictureComponent
  assets: SiteAssets
  /** Origin of the site, for absolute links: `'https://www.example.com'`. */
  origin: string
  /** The picture for link previews. */
  card: readonly CardMeta[]
  /** Additional elements of the head. */
  children?: ReactNode
}

/** A whole page, from `<html>` on. */
export function Document({ page, Picture, assets, origin, card, children }: DocumentProps) {
  const { site, localized, summary } = page
  const title = page.kind === 'home' ? `${site.name} – ${site.tagline}` : `${page.title} – ${site.name}`
  return (
    <html {...routes.html(site.language)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {assets.fonts.map((font) => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <link rel="stylesheet" href={assets.stylesheet} />
        <link rel="icon" href={assets.icon} type="image/svg+xml" />
        <title>{title}</title>
        <meta name="description" content={summary} />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f6f1e6" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#16120e" media="(prefers-color-scheme: dark)" />
        {page.kind === 'not-found' ? (
          <meta name="robots" content="noindex" />
        ) : (
          <>
            {routes.links(localized, origin).map((link) => (
              <link key={link.hrefLang ?? link.rel} {...link} />
            ))}
            <meta property="og:type" content={page.kind === 'article' ? 'article' : 'website'} />
            <meta property="og:site_name" content={site.name} />
            <meta property="og:locale" content={site.language === 'de' ? 'de_DE' : 'en_GB'} />
            <meta property="og:title" content={page.title} />
            <meta property="og:description" content={summary} />
            <meta property="og:url" content={origin + localized.path} />
            {card.map((meta) => (
              <meta key={meta.property} {...meta} />
            ))}
          </>
        )}
        {children}
      </head>
      <body>
        <PageBody page={page} Picture={Picture} />
      </body>
    </html>
  )
}
