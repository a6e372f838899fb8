import { createServer } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
// @ts-expect-error the alias of Express 4 has no types
import express4 from 'express4'
import { expressMiddleware } from '../../adapters/express/index.js'
import { listen } from './listen.js'
import { testAdapter } from './suite.js'

const handleError =
  (onError: ((error: unknown) => void) | undefined): ErrorRequestHandler =>
  (error, _req, res, next) => {
    onError?.(error)
    if (res.headersSent) next(error)
    else res.status(error.status ?? 500).send('failed')
  }

const versions: [string, typeof express][] = [
  ['Express 5', express],
  ['Express 4', express4],
]

for (const [name, create] of versions) {
  testAdapter({
    name,
    hasParser: true,
    start({ handler, mount = '/', parser = false, onError }) {
      const app = create()
      if (parser) app.use(create.json(), create.urlencoded({ extended: false }), create.text())
      app.use(mount, expressMiddleware(handler))
      app.use((_req, res) => void res.send('next'))
      app.use(handleError(onError))
      return listen(createServer(app))
    },
  })
}
