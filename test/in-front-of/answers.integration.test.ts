import type { Request, Response } from 'express'
import { describe, expect, it } from 'vitest'
import { versions } from '../../adapters/express/testing/cached-app.js'
import { expectSame, requestOf, sendRaw, serveBoth } from './compare.js'

// The bytes of an answer with the cache in front of the app and without it: status line, fields in their order and
// case, framing, body.

type Route = (req: Request, res: Response) => unknown
const forAll = 'public, s-maxage=60'
const set = (res: Response) => res.set({ 'Cache-Control': forAll, 'Content-Type': 'text/plain' })

const routes: Record<string, Route> = {
  'end with a text': (_req, res) => res.end('text'),
  'end with nothing': (_req, res) => res.end(),
  'end with a storable text': (_req, res) => set(res).end('text'),
  'send JSON': (_req, res) => res.json({ a: 1 }),
  'send a storable text': (_req, res) => set(res).send('text'),
  'fields in their case': (_req, res) => {
    res.setHeader('x-LOWER-Upper', ['1', '2']).setHeader('set-cookie', ['a=1', 'b=2'])
    res.end('text')
  },
  'a storable field in lower case, by writeHead': (_req, res) =>
    res.writeHead(200, { 'cache-control': forAll, 'X-A': '1' }).end('x'),
  'a storable field by setHeader, others by writeHead': (_req, res) => set(res).writeHead(200, ['X-A', '1']).end('x'),
  'a status with its own text': (_req, res) => {
    res.statusMessage = 'Fine'
    res.status(299).end('text')
  },
  'writeHead with an object': (_req, res) =>
    res.writeHead(201, 'Fine', { 'x-a': ['1', '2'], 'Set-Cookie': ['a=1', 'b=2'] }).end('x'),
  'writeHead with a storable object': (_req, res) =>
    res.writeHead(200, { 'x-a': '1', 'Cache-Control': forAll, 'x-b': 2 }).end('x'),
  'writeHead after setHeader': (_req, res) =>
    set(res).writeHead(200, { 'content-type': 'text/html', 'X-A': '1' }).end('x'),
  'writeHead with a flat array': (_req, res) =>
    res.writeHead(200, ['X-A', '1', 'x-a', '2', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end('x'),
  'writeHead with a flat array after setHeader': (_req, res) =>
    set(res).writeHead(200, ['X-A', '1', 'X-A', '2']).end('x'),
  'writeHead with a storable flat array': (_req, res) =>
    res.writeHead(200, ['X-A', '1', 'X-A', '2', 'Cache-Control', forAll]).end('x'),
  'writeHead with pairs': (_req, res) =>
    res
      .writeHead(200, [
        ['X-A', '1'],
        ['X-A', '2'],
      ] as never)
      .end('x'),
  'writeHead with storable pairs': (_req, res) =>
    res
      .writeHead(200, [
        ['X-A', '1'],
        ['X-A', '2'],
        ['Cache-Control', forAll],
      ] as never)
      .end('x'),
  'writeHead with a status': (_req, res) => set(res).writeHead(203).end('x'),
  'write in pieces': (_req, res) => {
    res.write('first')
    setTimeout(() => res.end('last'), 20)
  },
  'write storable pieces': (_req, res) => {
    set(res).write('first')
    setTimeout(() => res.end('last'), 20)
  },
  flushHeaders(_req, res) {
    res.flushHeaders()
    setTimeout(() => res.end('text'), 20)
  },
  'early hints': (_req, res) => {
    res.writeEarlyHints({ link: '</a.css>; rel=preload' })
    res.writeProcessing()
    res.end('text')
  },
  trailers(req, res) {
    if (req.httpVersion === '1.0' || req.method === 'HEAD') return void res.end() // Node throws for these
    res.set('Trailer', 'X-End').write('text')
    res.addTrailers({ 'X-End': '1' })
    res.end()
  },
  'a 204': (_req, res) => res.status(204).end(),
  'a storable 204': (_req, res) => set(res).status(204).end(),
  'a 304': (_req, res) => res.status(304).set('ETag', '"a"').end(),
  'a storable 304': (_req, res) => set(res).status(304).set('ETag', '"a"').end(),
  'a 205': (_req, res) => res.status(205).end(),
  'a redirect': (_req, res) => res.redirect(303, '/elsewhere'),
  'a redirect of Node': (_req, res) => res.writeHead(303, { Location: '/elsewhere' }).end(),
  'a storable 404': (_req, res) => set(res).status(404).send('none'),
  'a storable 500': (_req, res) => set(res).status(500).send('failed'),
  'destroy before the head': (_req, res) => res.destroy(),
  'half a body': (_req, res) => {
    set(res).write('half')
    setTimeout(() => res.destroy(), 20)
  },
  'half a body of its length': (_req, res) => {
    res.set('Content-Length', '9').write('half')
    setTimeout(() => res.end(), 20)
  },
  throw() {
    throw new Error('thrown')
  },
  'next with an error': (req) => req.next?.(new Error('passed')),
  'next without a route': (req) => req.next?.(),
  'an error after the answer': (req, res) => {
    res.send('text')
    req.next?.(new Error('late'))
  },
  'two answers': (_req, res) => {
    res.send('first')
    res.send('second, which is longer')
  },
  'a field after the answer': (_req, res) => {
    res.end('text')
    res.set('X-Late', '1')
  },
  'a status after the answer': (_req, res) => {
    res.send('text')
    res.status(500)
  },
  'end twice': (_req, res) => {
    res.end('text')
    res.end()
  },
  'the body of the request': async (req, res) => {
    let text = ''
    for await (const piece of req) text += piece
    res.send(`${text.length} bytes`)
  },
}

const body = 'a'.repeat(100)
const upload = ['Content-Type: text/plain', 'Content-Length: 100']
const cookie = ['Cookie: session=1']
const requests: [name: string, text: (path: string) => string][] = [
  ['the first visitor', (path) => requestOf(path)],
  ['the second visitor', (path) => requestOf(path)],
  ['the third visitor', (path) => requestOf(path)],
  ['a signed-in visitor', (path) => requestOf(path, cookie)],
  ['HEAD', (path) => requestOf(path, [], 'HEAD')],
  ['HEAD of a signed-in visitor', (path) => requestOf(path, cookie, 'HEAD')],
  ['POST', (path) => requestOf(path, upload, 'POST', body)],
  ['PUT', (path) => requestOf(path, ['Transfer-Encoding: chunked'], 'PUT', `64\r\n${body}\r\n0\r\n\r\n`)],
  ['DELETE', (path) => requestOf(path, [], 'DELETE')],
  ['OPTIONS', (path) => requestOf(path, [], 'OPTIONS')],
  ['HTTP/1.0', (path) => requestOf(path, cookie).replace('HTTP/1.1', 'HTTP/1.0')],
]

describe.each(versions)('an answer of an app of %s', (_, create) => {
  it.each(Object.entries(routes))('%s: the same bytes as without the cache', async (_name, route) => {
    const { plain, cached } = await serveBoth(create, {
      routes(app, _create, run) {
        app.disable('x-powered-by')
        app.all('/page', (req, res) => {
          run()
          return route(req, res)
        })
      },
    })
    for (const [name, text] of requests) {
      const [expected, answer] = [await sendRaw(plain.url, text('/page')), await sendRaw(cached.url, text('/page'))]
      try {
        expectSame(answer, expected)
      } catch (error) {
        throw Object.assign(error as Error, { message: `${name}: ${(error as Error).message}` })
      }
    }
    expect(cached.runs).toBeLessThanOrEqual(plain.runs + 1)
  })
})
