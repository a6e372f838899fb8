import { record } from './figures.js'

/**
 * Times functions that do the same work, in alternating rounds, so that other load on the machine affects all alike.
 * Prints the median time of each and its ratio to the first, and records the times.
 *
 * @param {string} title
 * @param {Record<string, () => unknown>} contenders the first is ours
 * @param {{ rounds?: number, milliseconds?: number }} [options] number of rounds, and the duration of one
 */
export async function compare(title, contenders, { rounds = 15, milliseconds = 40 } = {}) {
  const runs = Object.entries(contenders).map(([name, run]) => ({ name, run, times: [] }))
  for (const { run } of runs) await time(run, milliseconds) // warm up
  for (let round = 0; round < rounds; round++) {
    for (const { run, times } of runs) times.push(await time(run, milliseconds))
  }
  const medians = runs.map(({ name, times }) => ({ name, median: times.sort((a, b) => a - b)[rounds >> 1] }))
  console.log(`\n${title}`)
  for (const { name, median } of medians) {
    const ratio = (median / medians[0].median).toFixed(2)
    console.log(`  ${name.padEnd(44)} ${format(median).padStart(10)}  ${ratio.padStart(8)} x`)
  }
  const [unit, nanoseconds] = medians[0].median < 100_000 ? ['µs', 1000] : ['ms', 1_000_000]
  record(title, unit, Object.fromEntries(medians.map(({ name, median }) => [name, median / nanoseconds])))
}

/** Returns the nanoseconds per call, measured for about the given time. */
async function time(run, milliseconds) {
  const limit = BigInt(milliseconds) * 1_000_000n
  const start = process.hrtime.bigint()
  let elapsed = 0n
  let calls = 0
  for (let batch = 1; elapsed < limit; batch = Math.min(batch * 2, 256)) {
    for (let call = 0; call < batch; call++) {
      const result = run()
      if (result instanceof Promise) await result
    }
    calls += batch
    elapsed = process.hrtime.bigint() - start
  }
  return Number(elapsed) / calls
}

function format(nanoseconds) {
  if (nanoseconds < 10_000) return `${nanoseconds.toFixed(0)} ns`
  if (nanoseconds < 10_000_000) return `${(nanoseconds / 1000).toFixed(1)} µs`
  return `${(nanoseconds / 1_000_000).toFixed(1)} ms`
}
