import { execFile } from 'node:child_process'
import type { ServerResponse } from 'node:http'
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

// Prints the maximum resident memory in KiB as the last line of the standard error.
const preload = `process.on('exit', () => console.error('maxRSS', process.resourceUsage().maxRSS))`

/** Runs the built command in a folder, while this process serves a site. `megabytes` is the memory that it took. */
export function runHere(folder: string, ...args: string[]) {
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, cliPath, ...args]
  const options = { cwd: folder, maxBuffer: 1024 ** 3 }
  return new Promise<{ code: number | null; out: string; err: string; megabytes: number }>((resolve) => {
    const child = execFile(process.execPath, nodeArgs, options, (_, out, output) => {
      const [err = '', kilobytes] = output.split(/maxRSS (\d+)\n$/)
      resolve({ code: child.exitCode, out, err, megabytes: Math.round(Number(kilobytes) / 1024) })
    })
  })
}
