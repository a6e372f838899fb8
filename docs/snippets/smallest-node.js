import { createServer } from 'node:http'
import { createImages } from 'sitewright/image'
import { nodeListener } from 'sitewright/node'
import { sharpService } from 'sitewright/sharp'

const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
const photo = images.srcSet({ src: '/media/black-canyon.jpg', width: 640 })
const html = `<img src="${photo.src}" srcset="${photo.srcset}" sizes="${photo.sizes}" alt="The Black Canyon">`
const page = () =>
  new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })

const site = async (/** @type {Request} */ request) =>
  (await images.handler(request)) ?? page()

createServer(nodeListener(site)).listen(process.env.PORT ?? 3000)
