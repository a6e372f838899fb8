// An image of 30 KB through reverse proxies. (Next.js takes a `proxy.js` above its folder for its own.) Proxies and image service each run in a process of their own.
import { createImageLoader } from 'sitewright/image'
import { compareCpu } from './cpu.js'
import { start } from './start.js'

const names = [
  'undici, bare',
  'sitewright on Node',
  'fast-proxy',
  'http-proxy-3',
  'sitewright on Hono',
  'hono/proxy',
  'sitewright on Express',
  'http-proxy-middleware on Express',
]

export async function benchProxy() {
  const path = createImageLoader({ sources: ['/media/'] })({ src: '/media/cat.jpg', width: 640 })
  const origin = await start('node', ['servers/origin.js'])
  const servers = [origin]
  try {
    const contenders = []
    for (const name of names) {
      const server = await start('node', ['servers/proxy.js'], { SERVER: name, ORIGIN: origin.origin })
      servers.push(server)
      contenders.push({ name, pid: server.pid, url: server.origin + path })
    }
    for (const connections of [32, 64]) await compareCpu('A proxied image of 30 KB', contenders, { connections })
  } finally {
    await Promise.all(servers.map(({ close }) => close()))
  }
}
