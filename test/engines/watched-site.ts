import { createServer, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../adapter/listen.js'

export interface SeenResponse {
  status: number
  type: string
  policy: string
}

const script = '/watch.js'

/**
 * Serves another server's site, and records responses and errors in the same way for every browser. Nothing is cached,
 * so each page requests everything that it shows.
 */
export async function watchSite(origin: string) {
  const responses = new Map<string, SeenResponse>()
  const server = createServer((browserRequest, response) => {
    const url = browserRequest.url ?? '/'
    if (url === script) {
      response.setHeader('Content-Type', 'text/javascript').end(`(${watch})()`)
      return
    }
    const headers = {
      accept: browserRequest.headers.accept ?? '*/*',
      'user-agent': browserRequest.headers['user-agent'] ?? '',
    }
    const upstream = request(origin + url, { headers }, async (answer) => {
      const status = answer.statusCode ?? 0
      const fields: OutgoingHttpHeaders = { ...answer.headers, 'cache-control': 'no-store' }
      const type = answer.headers['content-type'] ?? ''
      responses.set(url, { status, type, policy: String(fields['content-security-policy'] ?? '') })
      if (!type.startsWith('text/html')) {
        answer.pipe(response.writeHead(status, fields))
        return
      }
      const { 'content-length': _, ...otherFields } = fields
      const html = await text(answer)
      response.writeHead(status, otherFields).end(html.replace('<head>', `<head><script src="${script}"></script>`))
    })
    upstream.on('error', () => response.destroy()).end()
    response.on('close', () => upstream.destroy())
  })
  const { url, close } = await listen(server)
  return { url, seen: responses, close }
}

/** Runs first in each document and frame: lists errors, what the policy refused and what did not load. */
function watch(): void {
  const page = top as unknown as { complaints?: string[] }
  page.complaints ??= []
  const { complaints } = page
  addEventListener(
    'error',
    ({ message, target }) => {
      const { localName, currentSrc, src, href } = target as HTMLImageElement & HTMLLinkElement
      complaints.push(message ?? `not loaded: ${localName} ${currentSrc || src || href}`)
    },
    true,
  )
  addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    complaints.push(`${violatedDirective} refuses ${blockedURI}`),
  )
  for (const level of ['warn', 'error'] as const) {
    const log = console[level]
    console[level] = (...values) => {
      complaints.push(values.join(' '))
      log(...values)
    }
  }
}

/** In the page: what has been complained of since it was opened. */
export function complaintsOf(): string[] {
  return (window as unknown as { complaints: string[] }).complaints
}
