/**
 * Creates a function that returns what has to be resolved for a name, each after all that it refers to: one by one, and
 * the names that refer to each other in a circle together. Tarjan's algorithm (SIAM Journal on Computing 1, 1972), without
 * recursion, since chains may be long.
 *
 * @param targetsOf Returns the names that a name refers to, without itself.
 * @param isKnown Whether a name needs no resolving, or no more.
 */
export function createCircleFinder(
  targetsOf: (name: string) => readonly string[],
  isKnown: (name: string) => unknown,
): (name: string) => Generator<readonly string[]> {
  return function* (name) {
    const path = [name]
    // When a name was opened, and the earliest one that it leads back to, once all that it refers to was seen.
    const opened = new Map<string, number>()
    const earliest = new Map<string, number>()
    const unfinished: string[] = []
    for (let next = path.at(-1); next !== undefined; next = path.at(-1)) {
      const isDone = isKnown(next) || earliest.has(next)
      const targets = isDone ? [] : targetsOf(next).filter((target) => !isKnown(target))
      if (!isDone && !opened.has(next)) {
        opened.set(next, opened.size)
        unfinished.push(next)
        const unseen = targets.filter((target) => !opened.has(target))
        for (const target of unseen) path.push(target)
        if (unseen.length > 0) continue
      }
      path.pop()
      if (isDone) continue
      const own = opened.get(next) as number
      const first = targets.reduce((least, target) => Math.min(least, earliestOf(target)), own)
      earliest.set(next, first)
      if (first === own) yield popUntil(unfinished, next)
    }

    function earliestOf(name: string): number {
      return earliest.get(name) ?? opened.get(name) ?? Number.POSITIVE_INFINITY
    }
  }
}

/** Removes and returns the end of a list, from a name on. */
function popUntil(names: string[], name: string): string[] {
  const popped: string[] = []
  do popped.push(names.pop() as string)
  while (popped.at(-1) !== name)
  return popped
}
