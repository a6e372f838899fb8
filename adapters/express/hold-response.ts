import { ServerResponse } from 'node:http'

/**
 * Holds a response back until its head is known. Meanwhile, the route writes as usual: `headersSent` is true, and
 * `write` returns false, which tells the route to wait for `drain`. After the release, Node handles everything itself
 * again: pace, interim responses, trailers.
 *
 * @returns `head`, a promise of the status and headers, which rejects when the connection is closed first; and
 *   `release`, which sends the response with other headers.
 */
export function holdResponse(res: ServerResponse) {
  const inner = res as unknown as Record<string, (...args: unknown[]) => unknown> & { _header: string | null }
  const calls: (() => unknown)[] = []
  const drainListeners: (() => unknown)[] = []
  let isHeld = true
  // Otherwise Node does not keep headers that are passed only to `writeHead`.
  res.setHeader('x-held', '').removeHeader('x-held')
  const head = new Promise<Response>((resolve, reject) => {
    res.once('close', () => reject(new Error('The connection was closed before the response began')))
    for (const name of ['on', 'addListener', 'write', 'end', 'flushHeaders']) {
      const original = inner[name]?.bind(res)
      const addsListener = name === 'on' || name === 'addListener'
      inner[name] = (...args) => {
        if (addsListener && isHeld && args[0] === 'drain') drainListeners.push(args[1] as () => unknown)
        // Libraries that have wrapped this function go on calling it after the release.
        if (addsListener || !isHeld) return original?.(...args)
        // Makes `headersSent` true. Node writes the head again when the response is sent, and then calls the wrappers
        // of session libraries. A wrapper below the cache calls `writeHead` before it writes, but not before a flush.
        const { writeHead } = name === 'flushHeaders' ? res : ServerResponse.prototype
        if (!res.headersSent) writeHead.call(res, res.statusCode)
        // A web Response cannot have a status such as 101. The client gets the original status nevertheless.
        const status = res.statusCode < 200 || res.statusCode > 599 ? 500 : res.statusCode
        resolve(new Response(null, { status, headers: res.getHeaders() as Record<string, string> }))
        calls.push(() => original?.(...args))
        return name === 'write' ? false : res
      }
    }
  })
  const release = (headers: Headers) => {
    isHeld = false
    inner._header = null
    res.chunkedEncoding = false
    for (const name of res.getHeaderNames()) if (!headers.has(name)) res.removeHeader(name)
    const isChanged = ([name, value]: [string, string]) => name !== 'set-cookie' && `${res.getHeader(name)}` !== value
    for (const [name, value] of [...headers].filter(isChanged)) res.setHeader(name, value)
    if (calls.map((call) => call()).includes(false) || res.writableEnded) return
    // An event would not reach all of them, because `compression` adds them to a stream of its own.
    for (const listener of drainListeners) listener.call(res)
  }
  return { head, release }
}
