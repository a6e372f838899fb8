// Serving images over HTTP: the first time, from the cache, and with a 304. Each server runs in its own process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createImageLoader } from 'sitewright/image'
import { compare } from './compare.js'
import { compareCpu } from './cpu.js'
import { benchFirstVisits } from './first-visits.js'
import { qualities } from './qualities.js'
import { agent, fetchImage, request, start } from './start.js'

export const media = fileURLToPath(new URL('../examples/site/media', import.meta.url))

export async function benchImages() {
  const photos = (await readdir(media)).filter((name) => name.endsWith('.jpg'))
  const servers = await Promise.all([startSitewright(), startIpx(), startNext()])
  try {
    for (const format of ['image/avif', 'image/webp']) await benchFirstVisits(servers, media, photos, format)
    await benchCached(servers, photos[0])
    await benchRepeated(servers[0], photos[0])
  } finally {
    await Promise.all(servers.map(({ close }) => close()))
    agent.destroy()
  }
}

async function benchCached(servers, photo) {
  const format = 'image/avif'
  const headers = { accept: `${format},*/*` }
  const cached = {}
  const unchanged = {}
  for (const { name, url } of servers) {
    const address = url(photo, 640, format)
    const { etag } = (await fetchImage(address, format)).headers
    cached[name] = () => fetchImage(address, format)
    unchanged[name] = async () => {
      const { status } = await request(address, { ...headers, 'if-none-match': etag })
      if (status !== 304) throw new Error(`${name} answered ${status}, not 304`)
    }
  }
  await compare('An image from the cache', cached)
  await compare('The same, not modified (304)', unchanged)
}

/** What an image costs that is stored already, beside a cached page of the same size. */
async function benchRepeated({ origin, pid, url }, photo) {
  const headers = { accept: 'image/avif,*/*' }
  const image = url(photo, 640)
  const { body, headers: received } = await fetchImage(image, 'image/avif')
  const page = `${origin}/page/${body.length}`
  const unchanged = (etag) => ({ headers: { ...headers, 'if-none-match': etag }, status: 304, pid })
  await compareCpu(`A repeated image of ${body.length} bytes`, [
    { name: 'a cached page of the same size', pid, url: page },
    { name: 'the image', pid, url: image, headers },
  ])
  await compareCpu('The same, not modified (304)', [
    { name: 'the cached page', url: page, ...unchanged('"page"') },
    { name: 'the image', url: image, ...unchanged(received.etag) },
  ])
}

/** Each server runs in its own process, apart from the client. */
export async function startSitewright(env = {}) {
  const loader = createImageLoader({ sources: ['/media/'] })
  const server = await start('node', ['servers/sitewright.js'], { MEDIA: media, ...env })
  const url = (photo, width) => server.origin + loader({ src: `/media/${photo}`, width })
  return { ...server, name: 'sitewright: proxy and embedded service', url }
}

export async function startIpx() {
  const server = await start('node', ['servers/ipx.js'], { MEDIA: media })
  const url = (photo, width, format, quality = 75) =>
    `${server.origin}/w_${width},f_${format.slice('image/'.length)},q_${quality}/${photo}`
  return { ...server, name: 'IPX 3', url, qualities: qualities.ipx }
}

export async function startNext() {
  const cwd = fileURLToPath(new URL('next-app', import.meta.url))
  await rm(`${cwd}/.next`, { recursive: true, force: true })
  await cp(media, `${cwd}/public/media`, { recursive: true })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const [code] = await once(spawn('npx', ['next', 'build'], { cwd, env, stdio: ['ignore', 2, 2] }), 'close')
  if (code !== 0) throw new Error(`next build: exit code ${code}`)
  const server = await start('npx', ['next', 'start'], {}, cwd)
  const url = (photo, width, _, quality = 76) =>
    `${server.origin}/_next/image?url=${encodeURIComponent(`/media/${photo}`)}&w=${width}&q=${quality}`
  return { ...server, name: 'next/image 16, next start', url, qualities: qualities.next }
}
