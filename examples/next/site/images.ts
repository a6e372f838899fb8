import { join } from 'node:path'
import { createImages } from '@sitewright/example-site/images'

export const { handler: images } = createImages({
  site: join(process.cwd(), '../site'),
  cache: join(process.cwd(), '.cache'),
})
