import { createServer } from 'node:http'
import { createImages } from 'sitewright/image'
import { nodeListener } from 'sitewright/node'
import { sharpService } from 'sitewright/sharp'

const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
const cat = images.srcSet({ src: '/media/locomotion-house-cat.jpg', width: 640 })
const html = `<img src="${cat.src}" srcset="${cat.srcset}" sizes="${cat.sizes}" alt="A cat, running">`
const page = () =>
  new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })

const site = async (/** @type {Request} */ request) =>
  (await images.handler(request)) ?? page()

createServer(nodeListener(site)).listen(process.env.PORT ?? 3000)
