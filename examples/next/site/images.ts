import { join } from 'node:path'
import { imageOptions } from '@sitewright/example-site/images'
import { createImages } from 'sitewright/image'

const folders = { site: join(process.cwd(), '../site'), cache: join(process.cwd(), '.cache') }
const { tagIndex } = process.env.REDIS_URL ? await import('../redis.js') : {}

export const images = createImages(imageOptions(folders, process.env, tagIndex))
