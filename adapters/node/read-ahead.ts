import { Readable } from 'node:stream'
import { createBodyPace } from '../../core/http/body-pace.js'
import { destroyBody, withQuickReturn } from './upstream-body.js'

const maxAheadBytes = 4 * 1024 * 1024

/**
 * Reads the body of an upstream response up to 4 MiB ahead of its reader, so that a slow client does not hold the connection to the
 * service. What is larger goes on at the pace of the reader.
 *
 * @param timeout Milliseconds that the body may keep its reader waiting, see `createBodyPace`.
 */
export function readAhead(body: Readable, timeout: number): Readable {
  const pace = createBodyPace(timeout)
  let isWanted = false
  const take = () => {
    // All that has arrived, in one part: a service may send a body byte by byte.
    const part: Buffer | null = isWanted ? body.read() : null
    if (!part) return
    const tooSlow = pace.receive(part.length)
    if (tooSlow) return destroyBody(body, tooSlow)
    isWanted = false
    ahead.push(part)
  }
  const ahead = new Readable({
    highWaterMark: maxAheadBytes,
    read() {
      isWanted = true
      pace.wait()
      take()
    },
    destroy(error, callback) {
      destroyBody(body)
      callback(error)
    },
  })
  // It may fail before anybody reads, and an error without a listener would end the process.
  ahead.on('error', () => {})
  body
    .on('readable', take)
    .on('end', () => ahead.push(null))
    .on('error', (error) => ahead.destroy(error))
    .on('close', () => body.readableEnded || ahead.destroy(new Error('response body: ended early')))
  ahead.read(0)
  return withQuickReturn(ahead)
}
