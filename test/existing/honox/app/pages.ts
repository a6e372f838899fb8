import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { streamText } from 'hono/streaming'

/** The pages of a site: one that may be stored, a form with a session, and a stream. */
export default new Hono()
  .get('/photos', (c) => c.html(`<p>rendered ${performance.now()}</p>`, 200, { 'Cache-Control': 's-maxage=60' }))
  .get('/account', (c) => c.html(`<p>${getCookie(c, 'session') ?? 'a guest'}</p>`))
  .post('/account', async (c) => {
    setCookie(c, 'session', String((await c.req.parseBody()).name), { httpOnly: true })
    return c.redirect('/pages/account', 303)
  })
  .get('/stream', (c) => streamText(c, async (stream) => void (await stream.write('one, two'))))
