import { Readable } from 'node:stream'
import type { ByteBudget } from '../../core/byte-budget.js'
import { type HeldReader, setReader } from '../../core/held-reader.js'
import { createBodyPace } from '../../core/http/body-pace.js'
import { destroyBody, withQuickReturn } from './upstream-body.js'

// What of one body waits for its reader, at most.
const maxHeldBytes = 8 * 1024 * 1024
// A service may send a body byte by byte: to send it on like that would take the processor for longer than the service needs.
const maxGivenBytes = 64 * 1024
// What a part takes besides its bytes.
const partOverhead = 256
// Milliseconds after which a body that waits looks for room again.
const roomInterval = 250

/**
 * Reads the body of an upstream response faster than its reader does, as long as the budget lasts, so that a slow client
 * does not hold the connection to the service. Beyond it, and for what is behind by 8 MiB, the reader's pace counts: one whose client
 * then takes nothing for two seconds gets an error, and the connection is closed. So do the slowest readers when others need room.
 *
 * @param timeout Milliseconds that the body may keep its reader waiting, see `createBodyPace`.
 */
export function readAhead(body: Readable, budget: ByteBudget, timeout: number): Readable {
  const pace = createBodyPace(timeout)
  const parts: Buffer[] = []
  let held = 0
  let given = 0 // bytes
  let isUncounted = false // the last part: there was no room for it
  let isWanted = false
  let ending: { error?: Error | undefined } | undefined
  let timer: NodeJS.Timeout | undefined // while it is paused

  const reader: HeldReader = {
    unread: () => held,
    read: () => given,
    drop: () => ahead.destroy(new Error('response body: dropped, since its reader was too slow')),
  }
  const costOf = (part: Buffer) => part.length + partOverhead
  /** Removes the first parts, as many as are given at once. */
  const takeParts = (): Buffer[] => {
    let bytes = 0
    const end = parts.findIndex(({ length }) => {
      bytes += length
      return bytes > maxGivenBytes
    })
    return parts.splice(0, end < 0 ? parts.length : Math.max(1, end))
  }
  const give = () => {
    const next = takeParts()
    const last = next.at(-1)
    if (!last) {
      if (ending?.error) ahead.destroy(ending.error)
      else if (ending) ahead.push(null)
      return
    }
    isWanted = false
    const part = next.length === 1 ? last : Buffer.concat(next)
    const cost = next.reduce((sum, each) => sum + costOf(each), 0)
    given += part.length
    held -= cost
    const isLastUncounted = isUncounted && parts.length === 0
    budget.releaseUnread(isLastUncounted ? cost - costOf(last) : cost)
    if (isLastUncounted) isUncounted = false
    if (parts.length > 0) budget.hold(reader)
    else budget.forget(reader)
    resume()
    ahead.push(part)
  }
  const pause = () => {
    body.pause()
    timer ??= setInterval(() => {
      if (budget.isStalled(reader)) return reader.drop()
      const last = isUncounted && parts.at(-1)
      if (last && take(last)) isUncounted = false
      resume()
    }, roomInterval)
  }
  const resume = () => {
    if (!timer || isUncounted || held >= maxHeldBytes) return
    clearInterval(timer)
    timer = undefined
    pace.wait()
    body.resume()
  }
  const take = (part: Buffer): boolean => budget.takeUnread(costOf(part), reader)
  const onData = (part: Buffer) => {
    const tooSlow = pace.receive(part.length)
    if (tooSlow) return destroyBody(body, tooSlow)
    isUncounted = !take(part)
    held += costOf(part)
    parts.push(part)
    if (parts.length === 1) budget.hold(reader)
    if (isUncounted || held >= maxHeldBytes) pause()
    if (isWanted) give()
  }
  const onEnd = (error?: Error) => {
    ending ??= { error }
    if (isWanted) give()
  }

  const ahead = new Readable({
    highWaterMark: 1, // bytes: it has a buffer of its own
    read() {
      isWanted = true
      give()
    },
    destroy(error, callback) {
      clearInterval(timer)
      budget.forget(reader)
      for (const [index, part] of parts.entries()) {
        if (!isUncounted || index < parts.length - 1) budget.releaseUnread(costOf(part))
      }
      parts.length = 0
      body.off('data', onData)
      if (!ending) destroyBody(body)
      callback(error)
    },
  })
  // It may fail before anybody reads, and an error without a listener would end the process.
  ahead.on('error', () => {})
  body.on('end', () => onEnd()).on('error', onEnd)
  body.on('close', () => onEnd(new Error('response body: ended early')))
  body.on('data', onData).resume()
  const quick = withQuickReturn(ahead)
  setReader(quick, reader)
  return quick
}
