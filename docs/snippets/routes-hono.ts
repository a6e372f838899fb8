import { Hono } from 'hono'
import { honoMiddleware } from 'sitewright/hono'
import { routes } from './routes.js'

export const app = new Hono()
  .use(honoMiddleware(routes.redirect))
  .get('/about', (c) => c.html('<html lang="en">About'))
  .get('/de/ueber-uns', (c) => c.html('<html lang="de">Über uns'))
