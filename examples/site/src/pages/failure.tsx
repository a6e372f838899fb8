import type { SiteAssets } from '../document.tsx'

/** The page for a failed request. It needs no content, because loading the content may have failed. */
export function FailurePage({ assets }: { assets: SiteAssets }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Something went wrong</title>
        <link rel="stylesheet" href={assets.stylesheet} />
        <link rel="icon" href={assets.icon} type="image/svg+xml" />
      </head>
      <body>
        <main className="not-found">
          <header className="page-head">
            <p className="kicker">500</p>
            <h1>The plate did not develop</h1>
            <p className="deck">Something went wrong on our side. Please try again in a moment.</p>
            <p lang="de">Auf unserer Seite ist etwas schiefgegangen. Bitte versuchen Sie es gleich noch einmal.</p>
            <p className="more">
              <a href="/">Silver &amp; Salt</a>
            </p>
          </header>
        </main>
      </body>
    </html>
  )
}
