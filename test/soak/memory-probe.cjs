// Preloaded into a server: collects garbage when asked over IPC, and answers how much memory is still in use.
const { setTimeout: sleep } = require('node:timers/promises')

process.on('message', async () => {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage() // `external` includes ArrayBuffers
    return heapUsed + external
  }
  // Until nothing more goes: finalizers run between collections, and what they held goes with the next one.
  let bytes = Number.POSITIVE_INFINITY
  for (let round = 0; round < 20; round++) {
    globalThis.gc?.()
    await sleep(50)
    if (round > 4 && used() > bytes * 0.998) break
    bytes = used()
  }
  process.send?.(used())
})
process.channel?.unref()
