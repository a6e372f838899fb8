import { AboutPage } from './pages/about.tsx'
import { ArticlePage } from './pages/article.tsx'
import { ArticleListPage } from './pages/article-list.tsx'
import { HomePage } from './pages/home.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { Footer } from './parts/footer.tsx'
import { Masthead } from './parts/masthead.tsx'
import type { PictureComponent } from './parts/picture.ts'
import type { Page } from './routes.ts'

/** The content of `<body>`, for a server that renders the head itself, such as Next.js. */
export function PageBody({ page, Picture }: { page: Page; Picture: PictureComponent }) {
  return (
    <>
      <a className="skip" href="#content">
        {page.site.labels.skip}
      </a>
      <Masthead page={page} />
      <main id="content" tabIndex={-1}>
        <PageContent page={page} Picture={Picture} />
      </main>
      <Footer page={page} />
    </>
  )
}

function PageContent({ page, Picture }: { page: Page; Picture: PictureComponent }) {
  const { site } = page
  if (page.kind === 'home') return <HomePage site={site} Picture={Picture} />
  if (page.kind === 'articles') return <ArticleListPage site={site} Picture={Picture} />
  if (page.kind === 'article') return <ArticlePage site={site} article={page.article} Picture={Picture} />
  if (page.kind === 'about') return <AboutPage site={site} text={page.text} Picture={Picture} />
  return <NotFoundPage site={site} Picture={Picture} />
}
