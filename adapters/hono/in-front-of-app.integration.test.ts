import { compareExistingApps } from './testing/compare-apps.js'

compareExistingApps(['@hono/node-server 2'])
