/** The time of day, which dates what outlives the process. */
export interface WallClock {
  /** Returns milliseconds since 1970. */
  now(): number
  /** Whether what has this date was dated before the clock was set back, or may have been: its age is unknown. */
  isOfEarlierTime(date: number): boolean
}

export interface WallClockOptions {
  /** Returns milliseconds since 1970. Default: the system clock. */
  now?: (() => number) | undefined
  /** Called whenever the clock turns out to have been set back. */
  onSetBack: () => void
}

// Milliseconds. HTTP counts whole seconds, and time synchronization sets clocks back by less all the time.
export const clockTolerance = 1_000
// Of the time since the last look: the two clocks drift apart, by less.
const maxDrift = 0.001

/**
 * Creates a clock that notices when the system's is set back: by comparing it with the time that has elapsed since it was read
 * last. Another process that shares the files, and one that starts later, go by the system's clock as well, so they all agree.
 *
 * A clock of one's own is taken as it is.
 */
export function createWallClock({ now = systemTime, onSetBack }: WallClockOptions): WallClock {
  const elapsed = now === systemTime ? () => performance.now() : now
  let last = { time: now(), elapsed: elapsed() }
  let validSince = Number.NEGATIVE_INFINITY

  const read = () => {
    const current = { time: now(), elapsed: elapsed() }
    const passed = current.elapsed - last.elapsed
    const isSetBack = current.time < last.time + passed - clockTolerance - passed * maxDrift
    last = current
    if (isSetBack) {
      validSince = current.time
      onSetBack()
    }
    return current.time
  }
  return {
    now: read,
    isOfEarlierTime(date) {
      const latest = read() + clockTolerance
      return date < validSince || date > latest
    },
  }
}

function systemTime(): number {
  return Date.now()
}
