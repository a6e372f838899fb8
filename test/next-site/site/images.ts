import { createImageProxy } from 'sitewright/image'
import { createImageService } from 'sitewright/sharp'

// The embedded image service answers within this process, so nobody else needs to know the key.
const key = { key: crypto.randomUUID().replaceAll('-', ''), salt: crypto.randomUUID().replaceAll('-', '') }
const service = createImageService({ keys: [key], sources: { '/media/': './public/media' } })

export const images = createImageProxy({ ...key, serviceUrl: 'http://images', fetch: service, sources: ['/media/'] })
