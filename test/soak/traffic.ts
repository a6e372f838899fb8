import { Agent, request } from 'node:http'

/** The kinds of requests for each image and page, in order. */
type Kind = 'ok' | 'not-modified' | 'head' | 'missing' | 'aborted' | 'page' | 'known-page'
const kinds: readonly Kind[] = ['ok', 'ok', 'not-modified', 'head', 'missing', 'aborted', 'page', 'known-page']

const pathOf = (source: string, width: number) => `/_image/${Buffer.from(source).toString('base64url')}?width=${width}`
const images = ['acanthus-mollis', 'allium-oreophilum', 'black-canyon', 'march-pastoral'].flatMap((name) =>
  [384, 640].map((width) => pathOf(`/media/${name}.jpg`, width)),
)
const pages = ['/', '/de', '/about', '/articles']

/** Counts of responses by status; `0` for those that the client broke off. */
export type Statuses = Record<number, number>

/**
 * Sends requests of every kind, eight at a time. The requests repeat, so that caches are full after the first round.
 */
export async function sendTraffic(origin: string, count: number): Promise<Statuses> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const statuses: Statuses = {}
  let nextNumber = 0
  const work = async () => {
    while (nextNumber < count) {
      const number = nextNumber++
      const kind = kinds[number % kinds.length] as Kind
      const status = await send(origin, kind, Math.floor(number / kinds.length), agent)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  agent.destroy()
  return statuses
}

const etags = new Map<string, string>()

function send(origin: string, kind: Kind, number: number, agent: Agent): Promise<number> {
  const image = images[number % images.length] as string
  const path =
    kind === 'page' || kind === 'known-page'
      ? (pages[number % pages.length] as string)
      : kind === 'missing'
        ? pathOf('/media/none.jpg', 640)
        : image
  const headers: Record<string, string> = { Accept: 'image/webp,*/*' }
  if (kind === 'not-modified') headers['If-None-Match'] = etags.get(origin + image) ?? '"unknown"'
  // A client that has some version of the page: nobody reads what is rendered for it.
  if (kind === 'known-page') headers['If-None-Match'] = '*'
  return new Promise((resolve) => {
    const options = { agent, headers, method: kind === 'head' ? 'HEAD' : 'GET' }
    const clientRequest = request(origin + path, options, (response) => {
      const { etag } = response.headers
      if (kind === 'ok' && etag) etags.set(origin + image, etag)
      if (kind === 'aborted') response.once('data', () => clientRequest.destroy())
      response.resume().on('close', () => resolve(kind === 'aborted' ? 0 : (response.statusCode ?? 0)))
    })
    clientRequest.on('error', () => resolve(0)).end()
  })
}
