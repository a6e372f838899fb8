/** Does what has the same name one after the other. */
export interface Turns {
  <T>(name: string, work: () => Promise<T>): Promise<T>
  /** Waits until nothing of that name is under way. */
  rest(name: string): Promise<void> | undefined
}

/** Creates turns, so that of two writes of one file the later one wins, and what was removed stays so. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>()

  const take = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const result = last.get(name)?.then(work) ?? work()
    const ended = result.then(nothing, nothing).then(() => {
      if (last.get(name) === ended) last.delete(name)
    })
    last.set(name, ended)
    return result
  }
  return Object.assign(take, { rest: (name: string) => last.get(name) })
}

function nothing(): void {}
