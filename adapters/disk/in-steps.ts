import { setImmediate } from 'node:timers/promises'

// Milliseconds.
const longestStep = 5
const itemsPerLook = 64

/** Visits items one after the other, and lets other work run in between, since there may be a million of them. */
export async function forEachInSteps<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  let began = performance.now()
  let count = 0
  for (const item of items) {
    visit(item)
    if (++count % itemsPerLook !== 0 || performance.now() - began < longestStep) continue
    await setImmediate()
    began = performance.now()
  }
}

// Sorting so many takes a few milliseconds.
const runLength = 8_192

/** Returns the items in the order of a number of each, and lets other work run in between. */
export async function sortInSteps<T>(items: readonly T[], numberOf: (item: T) => number): Promise<T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).sort((a, b) => numberOf(a) - numberOf(b)))
    await setImmediate()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let index = 0; index < runs.length; index += 2) {
      const run: T[] = []
      await forEachInSteps(mergeSorted(runs[index] ?? [], runs[index + 1] ?? [], numberOf), (item) => run.push(item))
      merged.push(run)
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* mergeSorted<T>(a: readonly T[], b: readonly T[], numberOf: (item: T) => number): Generator<T> {
  let next = 0
  for (const item of a) {
    for (; next < b.length && numberOf(b[next] as T) < numberOf(item); next++) yield b[next] as T
    yield item
  }
  for (; next < b.length; next++) yield b[next] as T
}
