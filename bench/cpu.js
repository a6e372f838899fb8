// Processor time per request: on a shared machine it is stable where rates and waiting times are not.
import { readdir, readFile } from 'node:fs/promises'
import { record } from './figures.js'
import { load } from './load.js'

/**
 * Measures servers in alternating rounds, and prints for each the processor time per request, user and system, and its
 * ratio to the first.
 *
 * @param {string} title
 * @param {{ name: string, pid: number, url: string, headers?: object, status?: number }[]} contenders
 * @param {{ rounds?: number, requests?: number, connections?: number }} [options] requests of one round
 * @returns {Promise<Record<string, number>>} microseconds by name
 */
export async function compareCpu(title, contenders, { rounds = 7, requests = 2000, connections = 32 } = {}) {
  const runs = contenders.map((contender) => ({ ...contender, times: [], waits: [] }))
  const measure = async ({ url, headers, status }) => load(url, { requests, connections, headers, status })
  // Caches answer the first request otherwise.
  for (const { url, headers, status } of runs) await load(url, { requests: 1, connections: 1, headers, status })
  for (let round = -2; round < rounds; round++) {
    process.stderr.write(`\r  ${title}: round ${Math.max(round + 1, 0)} of ${rounds} `)
    for (const run of runs) {
      const before = await cpuTime(run.pid)
      const latencies = await measure(run)
      // The first rounds warm up.
      if (round < 0) continue
      run.times.push(((await cpuTime(run.pid)) - before) / requests)
      run.waits.push(latencies[Math.floor(latencies.length * 0.99)])
    }
  }
  process.stderr.write('\r\x1b[K')
  console.log(`\n${title}: processor time per request, at ${connections} connections`)
  const [base] = runs
  for (const { name, times, waits } of runs) {
    const ratio = (median(times) / median(base.times)).toFixed(2)
    const wait = `99 % within ${median(waits).toFixed(1)} ms`
    console.log(`  ${name.padEnd(44)} ${median(times).toFixed(0).padStart(7)} µs  ${ratio.padStart(8)} x  ${wait}`)
  }
  const byName = (field) => Object.fromEntries(runs.map((run) => [run.name, median(run[field])]))
  record(`${title}, ${connections} connections`, 'µs', byName('times'))
  record(`${title}, ${connections} connections, 99 % within`, 'ms', byName('waits'))
  return byName('times')
}

/** The processor time that all threads of a process have used, in microseconds (Linux: proc(5), schedstat). */
export async function cpuTime(pid) {
  const threads = await readdir(`/proc/${pid}/task`)
  const times = await Promise.all(
    // A thread may end meanwhile.
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').catch(() => '0')),
  )
  return times.reduce((sum, time) => sum + Number(time.split(' ')[0]), 0) / 1000
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]
}
