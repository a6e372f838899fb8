interface Batch<Q, A> {
  queries: Q[]
  answers: Promise<readonly A[]>
}

/**
 * Creates a function that sends the queries of concurrent callers as one. A caller that arrives while a read is in flight waits for
 * the next one, since a read that began before the call may return an older value.
 *
 * @param read Returns one answer for each query, in their order.
 */
export function batchReads<Q, A>(read: (queries: readonly Q[]) => Promise<readonly A[]>): (query: Q) => Promise<A> {
  let last: Promise<unknown> = Promise.resolve()
  // That has not been sent yet. An answer is looked up in the batch that its query was sent with: another one's may say that a page
  // is current which was purged.
  let next: Batch<Q, A> | undefined
  const createBatch = (): Batch<Q, A> => {
    const queries: Q[] = []
    const send = async () => {
      next = undefined
      const answers = await read(queries)
      if (answers.length === queries.length) return answers
      throw new TypeError(`expected one answer for each of ${queries.length} queries, got ${answers.length}`)
    }
    const answers = last.then(send, send)
    last = answers
    return { queries, answers }
  }
  return async (query) => {
    next ??= createBatch()
    const { queries, answers } = next
    const index = queries.push(query) - 1
    return (await answers)[index] as A
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
