import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import express from 'express'
import { createResponseCache, memoryStore, withCookies } from 'sitewright/cache'
import { inFrontOf } from 'sitewright/express'

const sessions = new Map() // in place of your session store

const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  bypass: withCookies('session'), // a request with this cookie is the visitor's own
})

const app = express()

app.get('/', (request, response) => {
  const [, id] = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '') ?? []
  const name = sessions.get(id)
  response
    .set('Cache-Control', 'public, max-age=0, s-maxage=86400')
    .send(name ? `<h1>Welcome, ${name}</h1>` : '<h1>Welcome</h1>')
})

app.post('/sign-in', (_request, response) => {
  const id = randomUUID()
  sessions.set(id, 'Ada') // after you have checked the password
  response
    .cookie('session', id, { httpOnly: true, secure: true, sameSite: 'lax' })
    .redirect(303, '/')
})

createServer(inFrontOf(cache, app)).listen(process.env.PORT ?? 3000)
