// The site's server, as it was: React Router on Express, with compression, files, and a nonce on the pages of visitors.
import { randomBytes } from 'node:crypto'
import { createRequestHandler } from '@react-router/express'
import compression from 'compression'
import express from 'express'
import * as build from './build/server/index.js'

export const app = express().disable('x-powered-by')
app.use(compression())
app.use('/assets', express.static('build/client/assets', { immutable: true, maxAge: '1y' }))
app.use(express.static('build/client', { maxAge: '1h' }))
app.use('/account', (_request, response, next) => {
  response.locals.nonce = randomBytes(16).toString('base64')
  response.set('Content-Security-Policy', `script-src 'nonce-${response.locals.nonce}'`)
  next()
})
const getLoadContext = (_request, { locals }) => ({ greeting: 'Grüß Gott', nonce: locals.nonce })
app.all('*splat', createRequestHandler({ build, getLoadContext }))
