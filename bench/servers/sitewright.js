import { createServer } from 'node:http'
import { createImageProxy } from 'sitewright/image'
import { nodeListener } from 'sitewright/node'
import { createImageService } from 'sitewright/sharp'

const key = { key: 'c0ffee', salt: 'decade' }
const sources = { '/media/': process.env.MEDIA }
const service = createImageService({ keys: [key], sources })
const images = createImageProxy({ ...key, serviceUrl: 'http://images', fetch: service, sources: Object.keys(sources) })
createServer(nodeListener(images)).listen(process.env.PORT, '127.0.0.1')
