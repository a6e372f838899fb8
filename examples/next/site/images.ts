import { join } from 'node:path'
import { createImages } from 'example-site/images'

export const { handler: images } = createImages({
  site: join(process.cwd(), '../site'),
  cache: join(process.cwd(), '.cache'),
})
