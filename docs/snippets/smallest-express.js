import express from 'express'
import { expressMiddleware } from 'sitewright/express'
import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
const photo = images.srcSet({ src: '/media/black-canyon.jpg', width: 640 })
const html = `<img src="${photo.src}" srcset="${photo.srcset}" sizes="${photo.sizes}" alt="The Black Canyon">`

const app = express()
app.use(expressMiddleware(images.handler))
app.get('/', (_request, response) => void response.send(html))
app.listen(process.env.PORT ?? 3000)
