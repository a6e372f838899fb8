// Causes may go round in a circle.
const mostCauses = 5

/**
 * What went wrong, for a log: the message and those of all its causes, since `fetch` says only "fetch failed". An error
 * without a message, as Node's for several addresses that refuse, says its code.
 *
 * @example describeError(new Error('fetch failed', { cause: new Error('no route') })) // 'fetch failed: no route'
 */
export function describeError(error: unknown): string {
  const said: string[] = []
  for (let each = error; said.length <= mostCauses; each = each.cause) {
    if (!(each instanceof Error)) return [...said, String(each)].join(': ')
    said.push(each.message || String((each as { code?: unknown }).code ?? each.name))
    if (!each.cause) break
  }
  return said.join(': ')
}
