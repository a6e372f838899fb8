import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * Sends requests for one URL over keep-alive connections, one after the other on each, and checks that every response is
 * like the first. It reads no more of a response than its status and length: a client that parsed everything would be
 * slower than the server.
 *
 * @param {string} url
 * @param {{ requests: number, connections?: number, headers?: Record<string, string>, status?: number }} options
 * @returns {Promise<number[]>} milliseconds from the request to the end of its response, sorted
 */
export async function load(url, { requests, connections = 32, headers = {}, status = 200 }) {
  const { host, hostname, port, pathname, search } = new URL(url)
  const fields = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${pathname}${search} HTTP/1.1\r\n${fields.join('')}\r\n`
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  )
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const latencies = []
  let unsent = requests
  let expected
  try {
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise((resolve, reject) => {
            const read = createReader((response) => {
              latencies.push(performance.now() - sentAt)
              expected ??= response.length
              if (response.status !== status || response.length !== expected) {
                reject(
                  new Error(`${url}: ${response.status} with ${response.length} bytes, not ${status}, ${expected}`),
                )
              }
              send()
            })
            let sentAt = 0
            const send = () => {
              if (unsent-- <= 0) return resolve()
              sentAt = performance.now()
              socket.write(request)
            }
            socket.on('data', read).on('error', reject)
            socket.on('close', () => reject(new Error(`${url}: the server closed the connection`)))
            send()
          }),
      ),
    )
  } finally {
    for (const socket of sockets) socket.removeAllListeners('close').destroy()
  }
  return latencies.sort((a, b) => a - b)
}

const lastChunk = '0\r\n\r\n'

/** Finds where each response ends. Chunks are not parsed: nothing follows the last one until the next request. */
function createReader(onResponse) {
  let head = ''
  let response
  const start = (chunk) => {
    head += chunk.latin1Slice()
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    const status = Number(head.slice(9, 12))
    const declared = /^content-length: *(\d+)/im.exec(head.slice(0, end))?.[1]
    const isChunked = /^transfer-encoding: *chunked/im.test(head.slice(0, end))
    const body = head.slice(end + 4)
    response = { status, length: 0, isChunked, declared: status === 304 ? 0 : Number(declared), tail: '' }
    head = ''
    proceed(body.length, body.slice(-lastChunk.length))
  }
  const proceed = (bytes, tail) => {
    response.length += bytes
    response.tail = (response.tail + tail).slice(-lastChunk.length)
    const { status, length, isChunked, declared } = response
    if (isChunked ? response.tail !== lastChunk : length < declared) return
    response = undefined
    // How many chunks there are depends on the network, and with it the length.
    onResponse({ status, length: isChunked ? -1 : length })
  }
  return (chunk) => {
    if (!response) start(chunk)
    else proceed(chunk.length, chunk.latin1Slice(Math.max(0, chunk.length - lastChunk.length)))
  }
}
