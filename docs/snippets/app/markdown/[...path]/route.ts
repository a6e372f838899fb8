import { createMarkdown } from 'sitewright/localized-pages'
import { nextRoute } from 'sitewright/next'
import { routes } from '../../../routes'

export const { GET } = nextRoute(
  createMarkdown(routes, async ({ slug, language }) => {
    const answer = await fetch(`https://cms.example.com/${language}/${slug.join('/')}`)
    const { title, text } = await answer.json()
    return answer.ok ? new Response(`# ${title}\n\n${text}`) : undefined
  }),
)
export const dynamic = 'force-static' // stored and purged as the page is
export const generateStaticParams = () => []
