import { type Context, Hono } from 'hono'
import { honoMiddleware } from 'sitewright/hono'
import { routes } from './routes.js'

const show = async (c: Context) => {
  const page = await routes.find(c.req.url)
  const links = routes.linkHtml(page, 'https://www.example.com')
  return c.html(`<html lang="${page.language}"><head>${links}</head><h1>${page.route}</h1>`)
}

export const app = new Hono()
  .use(honoMiddleware(routes.redirect))
  .get('/about', show)
  .get('/de/ueber-uns', show)
