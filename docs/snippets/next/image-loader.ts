import { createImageLoader } from 'sitewright/image'

export default createImageLoader({ sources: ['/media/'] })
