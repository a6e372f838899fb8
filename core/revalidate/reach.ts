import type { Log } from '../log.js'

/** The field of the request that an endpoint sends to itself, and of the answer to it. */
export const probeField = 'x-sitewright-probe'

const advice = 'mount the endpoint before it, leave this path out of it, or set the option path'

/**
 * Sends a request to the endpoint's path on the server that got another request, and logs if the site answers it, such
 * as by a redirect of all paths or a check of CSRF tokens. Asks only this machine, because clients choose the host.
 */
export async function checkReach(path: string, { url }: Request, log: Log): Promise<void> {
  const target = new URL(path, url)
  if (!/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(target.hostname)) return
  const headers = { [probeField]: '1', 'Content-Type': 'application/json' }
  const init: RequestInit = { method: 'POST', headers, body: '{}', redirect: 'manual' }
  const response = await fetch(target, init).catch(() => undefined)
  void response?.body?.cancel()
  if (!response || response.headers.has(probeField)) return
  const location = response.headers.get('location') ?? undefined
  log('Revalidation: the site answers in place of the endpoint', { path, status: response.status, location, advice })
}
