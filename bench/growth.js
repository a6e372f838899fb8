// Our cache as it grows: the cost of a hit and of a purge, and the memory of an entry beside its body.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const entryCounts = [1_000, 10_000, 100_000, 1_000_000]
const tagCounts = [1, 10, 100]

export async function benchGrowth() {
  console.log(
    '\nA hit, a purge, and the memory of an entry beside its body, by the number of entries and of tags of each',
  )
  console.log(`  ${'entries'.padStart(9)}  ${'tags'.padStart(4)}  ${'hit'.padStart(9)}  ${'purge'.padStart(9)}  entry`)
  for (const tags of tagCounts) {
    for (const entries of entryCounts) {
      process.stderr.write(`\r  ${entries} entries with ${tags} tags `)
      const { hit, purge, bytes } = await measure(entries, tags)
      process.stderr.write('\r\x1b[K')
      const times = [hit, purge].map((time) => `${(time / 1000).toFixed(2)} µs`.padStart(9))
      console.log(
        `  ${entries.toLocaleString('en').padStart(9)}  ${String(tags).padStart(4)}  ${times.join('  ')}  ${Math.round(bytes)} bytes`,
      )
    }
  }
}

/** Each measurement has a process of its own. */
async function measure(entries, tags) {
  const script = fileURLToPath(new URL('growth-worker.js', import.meta.url))
  const execArgv = ['--expose-gc', '--max-old-space-size=12288']
  const child = fork(script, [String(entries), String(tags)], { execArgv })
  const [[result], [code]] = await Promise.all([
    Promise.race([once(child, 'message'), once(child, 'close')]),
    once(child, 'close'),
  ])
  if (code !== 0) throw new Error(`growth of ${entries} entries ended with ${code}`)
  return result
}
