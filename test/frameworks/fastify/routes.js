import cookie from '@fastify/cookie'
import session from '@fastify/session'

/** Adds sessions, and the routes of a site that exists: a page for all, a form, a redirect and an error. */
export async function addRoutes(app) {
  await app.register(cookie)
  const secret = 'a-secret-of-at-least-32-characters'
  await app.register(session, { secret, cookie: { secure: false }, saveUninitialized: false })
  app.get('/photos', (_, reply) => {
    reply.header('Cache-Control', 's-maxage=60').type('text/html').send(`<p>at ${performance.now()}</p>`)
  })
  app.get('/account', (request, reply) => {
    reply.type('text/html').send(`<p>${request.session.name ?? 'a guest'}</p>`)
  })
  app.post('/account', (request, reply) => {
    request.session.name = request.body.name
    reply.redirect('/account', 303)
  })
  app.get('/fails', () => {
    throw new Error('a fault of the site')
  })
}
