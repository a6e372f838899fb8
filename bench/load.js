import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Responses per second to one URL, over connections that stay open. It only looks for what ends a body, since a client
 * that did more would be slower than the server.
 *
 * @param {string} url
 * @param {string} end what ends each body, and stands nowhere else in it
 */
export async function requestRate(url, end, milliseconds, { connections = 8 } = {}) {
  const { host, hostname, port, pathname } = new URL(url)
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  )
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  let count = 0
  for (const socket of sockets) {
    let rest = ''
    socket.on('data', (piece) => {
      const text = rest + piece.latin1Slice()
      let at = 0
      for (let next = text.indexOf(end); next >= 0; next = text.indexOf(end, at)) {
        at = next + end.length
        count++
        socket.write(request)
      }
      // The end may be cut in two.
      rest = text.slice(Math.max(at, text.length - end.length + 1))
    })
    socket.write(request)
  }
  const began = performance.now()
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  const rate = count / ((performance.now() - began) / 1000)
  for (const socket of sockets) socket.destroy()
  return rate
}
