import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRedis } from '../../adapters/redis/testing/redis-server.js'
import { pages as allPages, createCount, createGraph, createRandom } from '../../core/content/testing/graph.js'
import { rounds } from '../setup/rounds.js'
import type { Answered, Asked } from './content-worker.js'

const graphs = rounds(2)
const editsOfGraph = 50
// Each graph is a separate site, and several are edited at the same time.
const graphsAtOnce = 8
const pages = allPages.slice(0, 8)

const processes: { ask(asked: Asked): Promise<Answered>; child: ChildProcess }[] = []
let redis: Awaited<ReturnType<typeof startRedis>>
let folder: string

beforeAll(async () => {
  redis = await startRedis()
  folder = await mkdtemp(join(tmpdir(), 'sitewright-content-'))
  const file = join(folder, 'worker.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('content-worker.ts', import.meta.url))],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    logLevel: 'error',
  })
  for (let index = 0; index < 2; index++) processes.push(await start(file))
})

afterAll(async () => {
  for (const { child } of processes) child.kill()
  await redis?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a process of the site, and waits until it is connected. */
async function start(file: string) {
  const child = fork(file, [`redis://127.0.0.1:${redis.port}`])
  const waiting = new Map<number, (answered: Answered) => void>()
  child.on('message', ({ id, answered }: { id: number; answered: Answered }) => {
    waiting.get(id)?.(answered)
    waiting.delete(id)
  })
  await once(child, 'message')
  let lastId = 0
  const ask = (asked: Asked) => {
    const id = ++lastId
    child.send({ id, asked })
    return new Promise<Answered>((resolve) => waiting.set(id, resolve))
  }
  return { ask, child }
}

/**
 * Edits a random site, and fails if a page differs from a fresh render once either process has answered the webhook.
 */
async function edit(seed: number, { count, add }: ReturnType<typeof createCount>) {
  const graph = createGraph(seed)
  const { pick } = createRandom(seed + 1)
  const shown = new Map<string, string>()
  for (let index = 0; index < editsOfGraph; index++) {
    const visits = processes.map(({ ask }) => ask({ seed, visit: [pick(pages)] })) // under way during the edit
    const payload = graph.edit()
    await Promise.all(processes.map(({ ask }) => ask({ seed, edit: true })))
    expect(await pick(processes).ask({ seed, publish: payload })).toEqual({ status: 200 })
    count.edits++
    const visitors = pages.map((page) => ({ page, process: pick(processes) }))
    const answers = processes.map(async (process) => {
      const visited = visitors.filter((visitor) => visitor.process === process).map(({ page }) => page)
      const { shown = [] } = await process.ask({ seed, visit: visited })
      return visited.map((page, place) => ({ page, ...shown[place] }))
    })
    const stale: string[] = []
    for (const { page, isStale = true, isNew = false } of (await Promise.all(answers)).flat()) {
      const fresh = graph.render(page)
      if (isStale) stale.push(page)
      add(isNew, shown.get(page), fresh)
      shown.set(page, fresh)
    }
    expect(stale, `stale pages, seed ${seed}, edit ${index}`).toEqual([])
    await Promise.all(visits)
  }
}

it(
  'on two processes that share a Redis, no page differs from a fresh render after either has answered a webhook',
  async () => {
    const counter = createCount()
    const seeds = Array.from({ length: graphs }, (_, index) => index + 1).values()
    const editNext = async () => {
      for (const seed of seeds) {
        await edit(seed, counter)
      }
    }
    await Promise.all(Array.from({ length: graphsAtOnce }, editNext))
    const { edits, purged, same } = counter.count
    console.log(`${edits} edits purged ${purged} pages, of which ${same} were the same`)
    expect(purged).toBeGreaterThan(edits)
    expect(same / purged).toBeLessThan(0.05)
  },
  rounds(60_000),
)
