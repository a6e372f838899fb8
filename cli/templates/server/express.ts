import './environment.js'
import { expressMiddleware } from 'sitewright/express'
import { packageFiles } from 'sitewright/node'
import { images } from './images.js'
import { cache, revalidate } from './revalidate.js'
import { styleguide } from './styleguide.js'

export { cache, images }

const files = packageFiles()

/** Pictures at `/_image`, `POST /api/revalidate` and the styleguide. All other requests go on to your own routes. */
export const sitewright = expressMiddleware(
  async (request) =>
    (await images.handler(request)) ??
    (await revalidate(request)) ??
    (await files(request)) ??
    (await styleguide(request)),
)
