import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

export const images = createImages({ sources: { '/media/': './public/media' }, service: sharpService() })
