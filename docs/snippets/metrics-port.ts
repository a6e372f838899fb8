import { createServer } from 'node:http'
import { createMetrics } from 'sitewright/metrics'
import { nodeListener } from 'sitewright/node'

export const server = createServer(nodeListener(createMetrics({ secret: false }))).listen(
  9464,
  '127.0.0.1', // in a container, an address that only the scraper reaches
)
