// In ids of some 100 characters: 2 MB at most.
const maxDeliveries = 10_000

/** Runs the work of each delivery once. */
export interface Deliveries {
  /**
   * Runs the work, unless it has succeeded for the same id before: `undefined` then. Work that fails is forgotten, since
   * a CMS sends the very same delivery again. While it runs, further ones with its id wait, and share its failure: one
   * after the other, they would each wait for as long.
   *
   * @param work Returns a response; `ok` means success.
   */
  run(id: string, work: () => Promise<Response>): Promise<Response | undefined>
}

/** Creates the memory of accepted deliveries, of one process: the latest 10,000. */
export function createDeliveries(): Deliveries {
  const succeeded = new Set<string>()
  const running = new Map<string, Promise<Response>>()

  const runOnce = async (id: string, work: () => Promise<Response>) => {
    const response = await work()
    if (response.ok) {
      succeeded.add(id)
      const [oldest] = succeeded
      if (succeeded.size > maxDeliveries && oldest !== undefined) succeeded.delete(oldest)
    }
    return response
  }

  return {
    async run(id, work) {
      if (succeeded.has(id)) return undefined
      const other = running.get(id)
      const result = other ?? runOnce(id, work).finally(() => running.delete(id))
      running.set(id, result)
      const response = await result
      return other && response.ok ? undefined : response.clone()
    },
  }
}
