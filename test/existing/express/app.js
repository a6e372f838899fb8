// The site as it was: Pug, Bootstrap, sessions and CSRF tokens, in CommonJS.
const { randomUUID } = require('node:crypto')
const { dirname, join } = require('node:path')
const compression = require('compression')
const session = require('express-session')
const lusca = require('lusca')
const express = require('express')

const app = express().set('view engine', 'pug').set('views', join(__dirname, 'views'))
const sent = []
const bootstrap = () => join(dirname(require.resolve('bootstrap/package.json')), 'dist/css/bootstrap.css')
const forAll = { 'Cache-Control': 'public, max-age=0, s-maxage=3600' }

app.use(compression(), express.static(join(__dirname, 'public')))
app.get('/bootstrap.css', (_request, response) => response.sendFile(bootstrap()))
app.use(session({ secret: 's', resave: false, saveUninitialized: false, genid: () => randomUUID() }))
app.use(express.urlencoded({ extended: true }))

app.get('/', (_request, response) => response.set(forAll).render('index', { title: 'Größe', sent }))
app.get('/json', (_request, response) => response.set(forAll).json({ sent }))
app.get('/old', (_request, response) => response.redirect(301, '/'))
app.get('/broken', () => {
  throw new Error('broken')
})

const form = [lusca.csrf()]
app.get('/contact', form, (request, response) => {
  request.session.visits = (request.session.visits ?? 0) + 1
  response.render('contact', { title: 'Contact', visits: request.session.visits })
})
app.post('/contact', form, (request, response) => {
  sent.push(request.body.text)
  response.redirect(303, '/')
})

module.exports = { app }
