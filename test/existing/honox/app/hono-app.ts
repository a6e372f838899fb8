import { Hono } from 'hono'
import pages from './pages.js'

export default new Hono().route('/pages', pages)
