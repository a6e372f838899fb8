import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../test/setup/free-port.js'

export const secret = 'between-us-and-no-one-else'

const environment = { REVALIDATE_SECRET: secret, STYLEGUIDE_ENABLED: 'true' }

/**
 * Starts Node with the arguments that `toArguments` returns for a free port, and waits until the server responds. Stops
 * the server after the test.
 */
export async function start(
  folder: string,
  toArguments: (port: string) => string[],
  variables: Record<string, string> = environment,
): Promise<string> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, toArguments(port), {
    cwd: folder,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: port,
      ...variables,
      NEXT_TELEMETRY_DISABLED: '1',
    },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.kill()) await ended
  })
  for (const deadline = Date.now() + 60_000; Date.now() < deadline && child.exitCode === null; await sleep(100)) {
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response) return url
  }
  throw new Error(`the server did not answer:\n${output}`)
}

/** Checks the promises of `sitewright init` on a server: pictures, revalidation, styleguide, and the site's routes. */
export async function expectSite(url: string, source: string, home: string, token: string, missingStatus = 404) {
  expect(await (await fetch(url)).text()).toContain(home)

  const path = `/_image/${Buffer.from(source).toString('base64url')}?width=640`
  const fetchPicture = () => fetch(url + path, { headers: { Accept: 'image/avif,image/webp' } })
  let picture = await fetchPicture()
  // A busy machine may take longer than the proxy waits.
  for (let tries = 0; tries < 5 && [503, 504].includes(picture.status); tries++) picture = await fetchPicture()
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/avif'])
  const { width, compression } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata()
  expect([width, compression]).toEqual([640, 'av1'])

  const revalidate = async (bearer: string, query = '') => {
    const init = { method: 'POST', headers: { Authorization: `Bearer ${bearer}` } }
    const response = await fetch(`${url}/api/revalidate${query}`, init)
    return [response.status, await response.json()]
  }
  expect(await revalidate(token)).toEqual([200, { revalidated: true }])
  expect(await revalidate(token, `?path=${source}`)).toEqual([200, { revalidated: true, tags: [source] }])
  expect(await revalidate('guessed')).toEqual([401, { error: 'Invalid token', revalidated: false }])

  const styleguide = await fetch(`${url}/styleguide/colors`)
  const html = await styleguide.text()
  expect(styleguide.status).toBe(200)
  expect(html).toContain('<h1 class="sw-title">Colors</h1>')
  expect(html).toContain('#b3412e')
  const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
  expect(await (await fetch(new URL(stylesheet, url))).text()).toContain('.sw-title')
  const [, script = ''] = /<script src="([^"]*styleguide[^"]*)"/.exec(html) ?? []
  expect((await fetch(new URL(script, url))).headers.get('content-type')).toMatch(/javascript/)
  expect((await fetch(`${url}/styleguide/missing`)).status).toBe(missingStatus)
}

/** Returns the secret in the lines for `.env`. */
export function secretOf(lines: string[]): string {
  return /^REVALIDATE_SECRET=([\w-]{32})$/m.exec(lines.join('\n'))?.[1] as string
}

/** Checks that `/example` is cached until a purge. */
export async function expectCachedPage(url: string, token: string): Promise<void> {
  const statusOf = async () => {
    const response = await fetch(`${url}/example`)
    expect(await response.text()).toContain('/_image/L21lZGlhL2NhdC5qcGc?width=640')
    return response.headers.get('cache-status')
  }
  expect(await statusOf()).toContain('fwd=uri-miss')
  expect(await statusOf()).toContain('hit')
  await fetch(`${url}/api/revalidate`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } })
  expect(await statusOf()).toContain('fwd=')
}

/** Returns the lines to copy of the step whose title begins with `title`. */
export function stepLines(stdout: string, title: string): string[] {
  const [, lines = ''] = stdout.split(new RegExp(`^(?:\\d+\\.|-) ${title}.*\n`, 'm'))
  return lines
    .slice(0, lines.indexOf('\n\n'))
    .split('\n')
    .map((line) => line.trim())
}
