import { expect } from 'vitest'

/** A request to a site: its path, and what `fetch` gets besides. */
export type SiteRequest = [path: string, init?: RequestInit]

/**
 * Returns what a site answers to requests, one after the other: status, headers, cookies and bodies, and the stylesheets
 * of pages. Leaves out what each build of Next.js names anew: scripts, and the names of files. Two lists are equal if
 * nothing has changed for a visitor.
 */
export async function recordAnswers(origin: string, requests: readonly SiteRequest[]) {
  const answers: Awaited<ReturnType<typeof recordAnswer>>[] = []
  for (const [path, init] of requests) answers.push(await recordAnswer(origin, path, init))
  // The requests are worth comparing: some pages have stylesheets.
  expect(answers.flatMap(({ styles }) => styles).join('')).toContain('{')
  return answers
}

async function recordAnswer(origin: string, path: string, init?: RequestInit) {
  const visit = (path: string, init?: RequestInit) =>
    fetch(origin + path, { redirect: 'manual', signal: AbortSignal.timeout(30_000), ...init })
  const response = await visit(path, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  const isHtml = response.headers.get('content-type')?.includes('html') ?? false
  const html = isHtml ? bytes.toString() : ''
  const hrefs = [...html.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, href = '']) => href)
  const styles = await Promise.all(hrefs.map(async (href) => (await visit(href)).text()))
  return {
    request: `${init?.method ?? 'GET'} ${path} ${JSON.stringify(init?.headers ?? {})}`,
    status: response.status,
    headers: [...response.headers].filter(([name]) => isCompared(name, isHtml)).map(withoutOrigin),
    cookies: response.headers.getSetCookie().map(withoutSecret),
    body: isHtml ? withoutScripts(html) : bytes.toString('base64'),
    styles,
  }

  function withoutOrigin([name, value]: [string, string]) {
    return [name, withoutFileNames(value.replaceAll(origin, ''))]
  }
}

/** The length and the ETag of a page follow from the names of its scripts. */
function isCompared(name: string, isHtml: boolean): boolean {
  return !['date', 'set-cookie', ...(isHtml ? ['etag', 'content-length'] : [])].includes(name)
}

/** The cookies of a preview are encrypted. */
const withoutSecret = (cookie: string) => cookie.replace(/^(__\w+)=[^;]*/, '$1')

const withoutFileNames = (text: string) => text.replace(/\/_next\/static\/[^"'>\s]*/g, '/_next/static/')

function withoutScripts(html: string): string {
  const links = /<link rel="preload" as="script"[^>]*>|<!--[^>]*-->/g
  return withoutFileNames(html.replace(/<script\b.*?<\/script>/gs, '').replace(links, ''))
}
