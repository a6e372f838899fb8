/** How often something was used, as of a time in milliseconds. */
export interface UseCount {
  count: number
  at: number
}

// Milliseconds after which a use counts half.
const halfLife = 600_000
// URLs and values of fields can be made up: what was asked for once replaces nothing that somebody asked for within a half-life.
const lead = 0.5

/** Returns the number of uses, of which older ones count less. */
export function countAt({ count, at }: UseCount, now: number): number {
  return count * 2 ** ((at - now) / halfLife)
}

/** Counts one more use. */
export function countUse(uses: UseCount, now: number): void {
  uses.count = countAt(uses, now) + 1
  uses.at = now
}

/** Whether something that is used so often may take the place of something else. */
export function mayReplace(count: number, other: number): boolean {
  return count >= other + lead
}
