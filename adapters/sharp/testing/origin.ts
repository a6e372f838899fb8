import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'

const port = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Starts an origin server; `requests` are the requested paths. */
export const startOrigin = async (listener: RequestListener) => {
  const requests: string[] = []
  const server = createServer((req, res) => {
    requests.push(req.url ?? '')
    listener(req, res)
  })
  const origin = `http://127.0.0.1:${await port(server)}`
  return { origin, requests, stop: () => server.close().closeAllConnections() }
}

/** Starts a server that sends raw bytes in response to the first bytes that it receives. */
export const startRawOrigin = async (respond: (socket: Socket, request: string) => void) => {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', (request) => respond(socket, request.toString('latin1')))
  })
  const stop = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { origin: `http://127.0.0.1:${await port(server)}`, stop }
}
