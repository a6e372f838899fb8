import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RunningServer } from './suite.js'

/** Starts a server on a free port. `close` destroys open connections. */
export async function listen(server: Server | RequestListener): Promise<RunningServer> {
  const running = typeof server === 'function' ? createServer(server) : server
  await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(running.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        running.close(() => resolve())
        running.closeAllConnections()
      }),
  }
}
