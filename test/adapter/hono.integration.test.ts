import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { honoMiddleware } from '../../adapters/hono/index.js'
import { nodeListener } from '../../adapters/node/listener.js'
import type { ServerSetup } from './adapter.js'
import { createHttp2Client, listenHttp2 } from './http2.js'
import { listen } from './listen.js'
import { testAdapter } from './suite.js'

const createApp = ({ handler, mount = '', onError }: ServerSetup) =>
  new Hono()
    .use(`${mount}/*`, honoMiddleware(handler))
    .all('*', (context) => context.text('next'))
    .onError((error, context) => {
      onError?.(error)
      return context.text('failed', 500)
    })

testAdapter({
  name: 'Hono on sitewright/node',
  start: (setup) => listen(nodeListener(createApp(setup).fetch)),
})

testAdapter({
  name: 'Hono on sitewright/node over HTTP/2',
  createClient: createHttp2Client,
  start: (setup) => listenHttp2(nodeListener(createApp(setup).fetch)),
})

testAdapter({
  name: 'Hono on @hono/node-server',
  ownsConnection: false,
  start: (setup) => listen(createAdaptorServer({ fetch: createApp(setup).fetch }) as Server),
})
