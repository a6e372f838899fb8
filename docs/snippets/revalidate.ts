import { createServer } from 'node:http'
import express from 'express'
import { expressMiddleware } from 'sitewright/express'
import { createRevalidateEndpoint } from 'sitewright/revalidate'

let news = ''
let reading = Promise.resolve()

// Reads the content, one after the other: of two publications at the same time, the later one wins.
const reload = () => {
  reading = reading
    .catch(() => {})
    .then(async () => {
      news = await readNews()
    })
  return reading
}

const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  invalidate: reload, // if it fails, the CMS gets 503, and the endpoint tries again
})

const app = express()
app.use(expressMiddleware(revalidate))
app.get('/', (_req, res) => void res.send(news))

void reload()
export const server = createServer(app).listen(process.env.PORT ?? 3000)

async function readNews(): Promise<string> {
  return `As of ${new Date().toISOString()}`
}
