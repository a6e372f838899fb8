// Causes may be circular.
const maxCauses = 5

/**
 * Describes an error for a log: its message and those of its causes, since `fetch` throws a bare "fetch failed". An error
 * without a message, such as Node's when several addresses refuse, is described by its code.
 *
 * @example describeError(new Error('fetch failed', { cause: new Error('no route') })) // 'fetch failed: no route'
 */
export function describeError(error: unknown): string {
  const messages: string[] = []
  try {
    for (let each = error; messages.length <= maxCauses; each = each.cause) {
      if (!(each instanceof Error)) return [...messages, String(each)].join(': ')
      messages.push(each.message || String((each as { code?: unknown }).code ?? each.name))
      if (!each.cause) break
    }
  } catch {
    // Anything can be thrown, such as an object without a prototype or one whose properties throw.
    messages.push('a value that cannot be described')
  }
  return messages.join(': ')
}

/** Returns a text, or its first `max` characters and an ellipsis. */
export function truncate(text: string, max: number): string {
  // A character has two code units at most.
  const characters = [...text.slice(0, 2 * max + 2)]
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : text
}
