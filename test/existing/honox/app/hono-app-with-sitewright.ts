import { Hono } from 'hono'
import { honoMiddleware } from 'sitewright/hono'
import { cache, sitewright } from '../sitewright.js'
import app from './hono-app.js'

export default new Hono().use(sitewright).use(honoMiddleware(cache.inFrontOf(app.fetch)))
