import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'
import { serve } from 'srvx'

const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
const photo = images.srcSet({ src: '/media/black-canyon.jpg', width: 640 })
const html = `<img src="${photo.src}" srcset="${photo.srcset}" sizes="${photo.sizes}" alt="The Black Canyon">`
const page = () =>
  new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })

serve({ fetch: async (request) => (await images.handler(request)) ?? page() })
