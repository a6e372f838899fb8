import { compareExistingApps } from './testing/compare-apps.js'
import { serverNames } from './testing/servers.js'

compareExistingApps(serverNames.filter((name) => name !== '@hono/node-server 2'))
