// What stays in memory of readers that are slow and of requests that are aborted, in each of our proxies.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createImageLoader } from 'sitewright/image'
import { load } from './load.js'
import { request, start } from './start.js'

const names = ['sitewright on Node', 'sitewright on Hono', 'sitewright on Express']

export async function benchMemory({ readers = 64, aborts = 10_000 } = {}) {
  const path = createImageLoader({ sources: ['/media/'] })({ src: '/media/cat.jpg', width: 640 })
  const origin = await start('node', ['servers/origin.js'])
  console.log(`\nMemory of a proxy of images of 30 KB: heap and buffers after a garbage collection, and the process`)
  try {
    for (const name of names) {
      const env = { SERVER: name, ORIGIN: origin.origin, MEMORY: '1' }
      const server = await start('node', ['--expose-gc', 'servers/proxy.js'], env)
      try {
        await benchServer(name, server.origin + path, { readers, aborts })
      } finally {
        await server.close()
      }
    }
  } finally {
    await origin.close()
  }
}

async function benchServer(name, url, { readers, aborts }) {
  await load(url, { requests: 5000 })
  const rows = [['at the start', await memory(url)]]
  const sockets = await Promise.all(Array.from({ length: readers }, () => sendUnread(url)))
  await setTimeout(1000)
  rows.push([`${readers} readers do not read`, await memory(url)])
  for (const socket of sockets) socket.destroy()
  await setTimeout(1000)
  rows.push(['they have left', await memory(url)])
  for (let done = 0; done < aborts; done += 50) {
    process.stderr.write(`\r  ${name}: ${done} of ${aborts} aborted `)
    await Promise.all(Array.from({ length: 50 }, (_, index) => abort(url, index % 3)))
  }
  process.stderr.write('\r\x1b[K')
  await setTimeout(1000)
  rows.push([`after ${aborts} aborted requests`, await memory(url)])
  console.log(`  ${name}`)
  for (const [when, { held, resident }] of rows) {
    console.log(`    ${when.padEnd(42)} ${mebibytes(held).padStart(10)}  process ${mebibytes(resident)}`)
  }
}

async function open(url) {
  const { host, hostname, port, pathname, search } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {})
  await once(socket, 'connect')
  return { socket, request: `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n` }
}

/** Sends as many requests as fill the buffers of the operating system on both sides, and reads no response. */
async function sendUnread(url) {
  const { socket, request } = await open(url)
  socket.pause().write(request.repeat(20))
  return socket
}

/** Leaves right after the request, a little later, or at the first bytes. */
async function abort(url, stage) {
  const { socket, request } = await open(url)
  socket.write(request)
  if (stage === 1) await setTimeout(2)
  if (stage === 2) await once(socket, 'data')
  socket.destroy()
}

async function memory(url) {
  const { body } = await request(new URL('/memory', url), {})
  return JSON.parse(body.toString())
}

function mebibytes(bytes) {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}
