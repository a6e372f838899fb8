import { createServer } from 'node:http'
import { createRoutes } from 'sitewright/localized-pages'
import { nodeListener } from 'sitewright/node'

const paths = { '/about': { de: '/ueber-uns' }, '/news/[slug]': { de: '/neues/[slug]' } }
const routes = createRoutes({ languages: ['en', 'de'], default: 'en', paths })
const pages = routes.handler((page) => {
  const head = routes.linkHtml(page, 'https://www.example.com')
  const html = `<html lang="${page.language}">${head}<h1>${page.route}</h1>`
  const headers = { 'Content-Type': 'text/html; charset=utf-8' }
  return new Response(html, { status: page.route ? 200 : 404, headers })
})

createServer(nodeListener(pages)).listen(process.env.PORT ?? 3000)
