import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Returns the responses per second to one URL, over keep-alive connections. It only searches for the end of each body,
 * since a client that parsed responses would be slower than the server.
 *
 * @param {string} url
 * @param {string} bodyEnd the end of each body, which occurs nowhere else in it
 */
export async function requestRate(url, bodyEnd, milliseconds, { connections = 8 } = {}) {
  const { host, hostname, port, pathname } = new URL(url)
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  )
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  let count = 0
  for (const socket of sockets) {
    let rest = ''
    socket.on('data', (chunk) => {
      const text = rest + chunk.latin1Slice()
      let at = 0
      for (let next = text.indexOf(bodyEnd); next >= 0; next = text.indexOf(bodyEnd, at)) {
        at = next + bodyEnd.length
        count++
        socket.write(request)
      }
      // The end may be split between two chunks.
      rest = text.slice(Math.max(at, text.length - bodyEnd.length + 1))
    })
    socket.write(request)
  }
  const startedAt = performance.now()
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  const rate = count / ((performance.now() - startedAt) / 1000)
  for (const socket of sockets) socket.destroy()
  return rate
}
