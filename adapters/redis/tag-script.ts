import { randomUUID } from 'node:crypto'
import type { Stamp } from '../../core/cache/index.js'
import type { SendCommand } from './client.js'
import { createScript, digestScript, isUnknownScript } from './script.js'
import { tagSource } from './tag-source.js'

export interface TagScriptOptions {
  send: SendCommand
  /** The key of the state. */
  key: string
  /** Where a new state is published. */
  channel: string
}

/** The reply of the script of `tag-source.ts`. */
export interface TagReply {
  masterId: string
  stamp: Stamp
  /** What the operation replies with. */
  rest: readonly unknown[]
}

/** Runs an operation of the script of `tag-source.ts`. */
export type TagScript = (operation: 'stamp' | 'purged' | 'purge', ...args: string[]) => Promise<TagReply>

// Milliseconds. No Sentinel and no cluster demotes a master and promotes it again so fast.
const maxVerifiedAge = 100

/**
 * How often a process runs the plain script before it sends a source of its own. Redis before 7.4 keeps each source, some
 * 8 KB, until it restarts, and a serverless platform starts processes all day.
 */
export const runsBeforeOwnSource = 1_000

/**
 * Creates a function that runs the script, and has it ask INFO for the master only when that may be another than before.
 *
 * The source begins with a random number. Scripts stay in the process that received them: since Redis 7 they are neither
 * replicated nor saved. So a process that knows the digest has run this very source, and said its master then. Whichever
 * way the client reached another process or a restarted one, that answers NOSCRIPT, receives a new source, and is asked.
 * What the digest cannot tell is that the process was demoted and promoted again meanwhile, so it is asked again after
 * 100 ms and after each error. Decision 12 has the whole reasoning.
 *
 * A source that was sent stays in Redis, so a new one is only sent after the plain one succeeded: not again and again to a
 * replica, for instance.
 */
export function createTagScript({ send, key, channel }: TagScriptOptions): TagScript {
  const runPlain = createScript(send, tagSource)
  let plainRuns = 0
  let canSendSource = false
  let known: { digest: string; masterId: string; verifiedAt: number } | undefined

  const run = async (masterId: string, command: readonly string[], args: readonly string[]) => {
    const id = randomUUID()
    return readReply(id, await send(key, ...command, '1', key, id, masterId, channel, ...args))
  }
  return async (...args) => {
    const sentAt = performance.now()
    const asked = known
    if (asked) {
      const masterId = sentAt - asked.verifiedAt < maxVerifiedAge ? asked.masterId : ''
      try {
        const reply = await run(masterId, ['EVALSHA', asked.digest], args)
        if (reply.masterId !== masterId) Object.assign(asked, { masterId: reply.masterId, verifiedAt: sentAt })
        return reply
      } catch (error) {
        asked.verifiedAt = Number.NEGATIVE_INFINITY
        if (!isUnknownScript(error)) throw error
      }
    }
    if (!canSendSource) {
      const id = randomUUID()
      const reply = readReply(id, await runPlain(key, id, '', channel, ...args))
      canSendSource = ++plainRuns >= runsBeforeOwnSource
      return reply
    }
    canSendSource = false // until it has succeeded
    const source = `-- ${randomUUID()}\n${tagSource}`
    const reply = await run('', ['EVAL', source], args)
    canSendSource = true
    known = { digest: digestScript(source), masterId: reply.masterId, verifiedAt: sentAt }
    return reply
  }
}

/**
 * Reads the reply of the script to the call with an id. Redis numbers no replies: when one is lost on the way, such as in a
 * proxy, each call gets that of the next.
 *
 * @throws TypeError when it is none, or that to another call.
 */
export function readReply(id: string, reply: unknown): TagReply {
  const [replyId, masterId, epoch, number, ...rest] = Array.isArray(reply) ? reply : []
  const sequence = Number(number ?? Number.NaN)
  if (
    !Buffer.isBuffer(replyId) ||
    !Buffer.isBuffer(masterId) ||
    !Buffer.isBuffer(epoch) ||
    !Number.isSafeInteger(sequence)
  )
    throw new TypeError('Redis: expected [id, masterId, epoch, sequence] in the reply of a script, got something else')
  if (replyId.toString() !== id) throw new TypeError('Redis: expected the reply to this call, got that to another')
  return { masterId: masterId.toString(), stamp: { epoch: epoch.toString(), sequence }, rest }
}
