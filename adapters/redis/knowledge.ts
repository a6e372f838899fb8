import type { Stamp } from '../../core/cache/index.js'

export interface KnowledgeOptions {
  /** Asks Redis, later than it is called. */
  ask(): Promise<Stamp>
  /** Milliseconds. */
  pollInterval: number
  /** Whether to ask again and again, so that what is known stays young. */
  isPolling: boolean
}

/**
 * Creates what an instance knows of the sequence. How young it is counts from when Redis was asked, by a clock that
 * never goes back; what is older than `pollInterval` is not used. A message may add to it, but never makes it younger.
 * After a failure Redis is away: nobody waits for it until it has answered again.
 */
export function createKnowledge({ ask, pollInterval, isPolling }: KnowledgeOptions) {
  let known: { stamp: Stamp; asked: number } | undefined
  let away: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const learn = (stamp: Stamp, asked: number) => {
    clearTimeout(away)
    away = undefined
    if (!known) known = { stamp, asked }
    else if (known.stamp.epoch === stamp.epoch) {
      // Answers may overtake one another; what is known of an epoch only grows.
      const newer = stamp.sequence > known.stamp.sequence ? stamp : known.stamp
      known = { stamp: newer, asked: Math.max(asked, known.asked) }
    } else if (asked >= known.asked) known = { stamp, asked }
  }
  const miss = () => {
    known = undefined
    if (isClosed) return
    clearTimeout(away)
    away = setTimeout(() => askAgain().catch(() => {}), pollInterval)
    away.unref?.()
  }
  const askAgain = async (): Promise<Stamp> => {
    const asked = performance.now()
    try {
      const stamp = await ask()
      learn(stamp, asked)
      return stamp
    } catch (error) {
      miss()
      throw error
    }
  }
  const poll = isPolling ? setInterval(() => away ?? askAgain().catch(() => {}), pollInterval / 2) : undefined
  poll?.unref?.()

  return {
    learn,
    isAway: () => away !== undefined,
    /** What Redis says after the call; `undefined` while it is away. */
    askNow: (): Promise<Stamp> | undefined => (away ? undefined : askAgain()),
    /** What is known, when it is young enough, or else what Redis says. */
    recall(): Stamp | Promise<Stamp> | undefined {
      if (away) return undefined
      if (known && performance.now() - known.asked <= pollInterval) return known.stamp
      return askAgain()
    },
    /** A purge that another instance made: `epoch sequence`. */
    hear(message: string) {
      const [epoch, text] = message.split(' ')
      const sequence = Number(text)
      if (!known || known.stamp.epoch !== epoch || !Number.isSafeInteger(sequence)) {
        known = undefined // of another epoch nothing is known until Redis was asked
      } else if (sequence > known.stamp.sequence) known = { ...known, stamp: { epoch, sequence } }
    },
    close() {
      isClosed = true
      clearTimeout(away)
      clearInterval(poll)
    },
  }
}
