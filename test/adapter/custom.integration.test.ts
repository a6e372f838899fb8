import { createServer } from 'node:http'
import { BadRequestError, sendResponse, toRequest, waitForTurn } from '../../adapters/node/index.js'
import { listen } from './listen.js'
import { testAdapter } from './suite.js'

// An adapter in a user's own code, as adapters/README.md shows it for Fastify and Koa.
testAdapter({
  name: 'toRequest and sendResponse in a custom adapter',
  start: ({ handler, mount = '/', onError }) =>
    listen(
      createServer(async (req, res) => {
        try {
          await waitForTurn(req, res)
          const options = { protocol: 'http', url: req.url }
          const response = req.url?.startsWith(mount) && (await handler(toRequest(req, res, options)))
          if (!response) return void res.end('next')
          await sendResponse(res, response)
        } catch (error) {
          if (res.closed) return // the client has disconnected
          if (!(error instanceof BadRequestError)) onError?.(error)
          if (!res.headersSent) res.writeHead(error instanceof BadRequestError ? error.statusCode : 500).end()
        }
      }),
    ),
})
