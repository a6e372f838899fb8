import { execFile } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { listen } from '../../test/adapter/listen.js'
import { cliPath } from './project.js'

/** A body, or a function that responds. */
export type HostilePages = Record<string, string | ((response: ServerResponse) => void)>

/** Serves pages by their paths, as HTML unless `typeOf` says another type. Returns the URL of the page `/guide`. */
export async function serveSite(
  pages: HostilePages,
  typeOf: (path: string) => string = (path) => (path.endsWith('.xml') ? 'application/xml' : 'text/html'),
): Promise<string> {
  const server = await listen(({ url = '' }, response) => {
    const page = pages[url]
    if (typeof page === 'function') return page(response)
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': typeOf(url) }).end(page)
  })
  onTestFinished(() => server.close())
  return `${server.url}/guide`
}

/** Responds with a text that is repeated until the client leaves, or until `megabytes` are sent. */
export function endless(text: string, megabytes: number) {
  const chunk = Buffer.from(text.repeat(Math.ceil(1024 ** 2 / text.length)))
  return (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    let sent = 0
    const body = new Readable({
      read() {
        this.push(sent++ < megabytes ? chunk : null)
      },
    })
    pipeline(body, response, () => {})
  }
}

// Prints the maximum resident memory in KiB as the last line of the standard error.
const preload = `process.on('exit', () => console.error('maxRSS', process.resourceUsage().maxRSS))`

/**
 * Runs the built command in a folder, while this process serves a site. `megabytes` is the memory that it took. The
 * argument `--max-old-space-size` is one of Node.
 */
export function runHere(folder: string, ...args: string[]) {
  const isForNode = (arg: string) => arg.startsWith('--max-old-space-size')
  const nodeArgs = [...args.filter(isForNode), '--import', `data:text/javascript,${encodeURIComponent(preload)}`]
  const allArgs = [...nodeArgs, cliPath, ...args.filter((arg) => !isForNode(arg))]
  const options = { cwd: folder, maxBuffer: 1024 ** 3 }
  return new Promise<{ code: number | null; out: string; err: string; megabytes: number }>((resolve) => {
    const child = execFile(process.execPath, allArgs, options, (_, out, output) => {
      const [err = '', kilobytes] = output.split(/maxRSS (\d+)\n$/)
      resolve({ code: child.exitCode, out, err, megabytes: Math.round(Number(kilobytes) / 1024) })
    })
  })
}
