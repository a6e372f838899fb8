import { createResponseCache, memoryStore } from 'sitewright/cache'
import { honoMiddleware } from 'sitewright/hono'
import { createImages } from 'sitewright/image'
import { packageFiles } from 'sitewright/node'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { sharpService } from 'sitewright/sharp'
import { styleguide } from './styleguide.js'

const images = createImages({ sources: { '/media/': process.env.MEDIA ?? './media' }, service: sharpService() })
export const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })
const { invalidate } = cache
const revalidate = createRevalidateEndpoint({ secret: process.env.REVALIDATE_SECRET, invalidate, images })
const files = packageFiles()

export const sitewright = honoMiddleware(
  async (request) =>
    (await images.handler(request)) ??
    (await revalidate(request)) ??
    (await files(request)) ??
    (await styleguide(request)),
)
