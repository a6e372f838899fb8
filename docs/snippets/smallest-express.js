import express from 'express'
import { expressMiddleware } from 'sitewright/express'
import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
const cat = images.srcSet({ src: '/media/locomotion-house-cat.jpg', width: 640 })
const html = `<img src="${cat.src}" srcset="${cat.srcset}" sizes="${cat.sizes}" alt="A cat, running">`

const app = express()
app.use(expressMiddleware(images.handler))
app.get('/', (_request, response) => void response.send(html))
app.listen(process.env.PORT ?? 3000)
