import { coalesceReads } from '../../core/cache/internal.js'

/**
 * Creates a function that sends the queries of concurrent callers as one, by the rule of {@link coalesceReads}.
 *
 * @param read Returns one answer for each query, in their order.
 */
export function batchReads<Q, A>(read: (queries: readonly Q[]) => Promise<readonly A[]>): (query: Q) => Promise<A> {
  let waiting: Q[] = []
  const readAll = coalesceReads(async () => {
    const queries = waiting
    waiting = []
    return await read(queries)
  })
  return async (query) => {
    const index = waiting.push(query) - 1
    const answers = await readAll('')
    if (answers.length <= index) throw new TypeError('expected one answer for each query, got fewer')
    return answers[index] as A
  }
}

// Of one command: Redis executes nothing else meanwhile, JavaScript bounds the arguments of a call, and Redis those of a
// command.
const maxArguments = 10_000

/** Splits a list into parts that make a command of bounded size, each of one item at least. */
export function splitBy<T>(items: readonly T[], size: (item: T) => number): T[][] {
  let part: T[] = []
  const parts = [part]
  let total = 0
  for (const item of items) {
    total += size(item)
    if (total > maxArguments && part.length > 0) {
      part = []
      parts.push(part)
      total = size(item)
    }
    part.push(item)
  }
  return parts
}
