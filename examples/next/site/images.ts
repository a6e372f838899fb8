import { join } from 'node:path'
import { createSiteImages } from '@sitewright/example-site/images'

const folders = { site: join(process.cwd(), '../site'), cache: join(process.cwd(), '.cache') }
const { tagIndex } = process.env.REDIS_URL ? await import('../redis.js') : {}

export const images = createSiteImages(folders, process.env, tagIndex)
