import { createImages } from 'sitewright/image'
import { fileVersions } from 'sitewright/node'
import { sharpService } from 'sitewright/sharp'

const sources = { '/media/': './media' }

export const images = createImages({
  sources,
  service: sharpService(),
  version: fileVersions(sources),
})

// /_image/…?width=640&v=--c70xxaZmkimTJd
export const url = images.loader({ src: '/media/black-canyon.jpg', width: 640 })
