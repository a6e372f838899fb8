import { join } from 'node:path'
import { loadSites, type PictureComponent } from '@sitewright/example-site'
import { createStyleguideTree } from '@sitewright/example-site/styleguide'
import { measureImages } from 'sitewright/styleguide'
import loader from '../image-loader'
import { images } from './images'

const folder = join(process.cwd(), '../site')
const { en } = await loadSites(folder)

/** Reads the tree of the styleguide. */
export const readTree = (Picture: PictureComponent) =>
  createStyleguideTree({
    styles: join(folder, 'styles'),
    pages: join(folder, 'styleguide'),
    site: en,
    Picture,
    measure: (src) => measureImages({ fetch: images.handler, loader, src }),
  })
