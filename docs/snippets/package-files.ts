import { Hono } from 'hono'
import { honoMiddleware } from 'sitewright/hono'
import { packageFiles } from 'sitewright/node'

const head = '<link rel="stylesheet" href="/sitewright/spacing.css">'

export const app = new Hono()
  // Or expressMiddleware, nodeListener, or nextRoute in app/sitewright/[file]/route.ts.
  .use(honoMiddleware(packageFiles()))
  .get('/', (c) => c.html(`${head}<h1 class="sw-large-xs-mt">Hello</h1>`))
