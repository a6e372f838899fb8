import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRedis } from '../../adapters/redis/testing/redis-server.js'
import { createCount, createGraph, createRandom, pages } from '../../core/content/testing/graph.js'
import { isLong, short } from '../setup/long.js'
import type { Answered, Asked } from './content-worker.js'

const graphs = short(2, 200)
const editsOfGraph = short(50, 500)

let graph: ReturnType<typeof createGraph>
const cms = createServer((request, response) => {
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(graph.answer(request.url ?? '/')))
})
const processes: { ask(asked: Asked): Promise<Answered>; child: ChildProcess }[] = []
let redis: Awaited<ReturnType<typeof startRedis>>
let folder: string

beforeAll(async () => {
  redis = await startRedis()
  await once(cms.listen(0, '127.0.0.1'), 'listening')
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
  const origin = `http://127.0.0.1:${(cms.address() as AddressInfo).port}`
  for (let index = 0; index < 2; index++) processes.push(await start(file, origin))
})

afterAll(async () => {
  for (const { child } of processes) child.kill()
  cms.close()
  await redis?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a process of the site, and waits until it is connected. */
async function start(file: string, origin: string) {
  const child = fork(file, [`redis://127.0.0.1:${redis.port}`, origin])
  const waiting = new Map<number, (answered: Answered) => void>()
  child.on('message', ({ id, answered }: { id: number; answered: Answered }) => {
    waiting.get(id)?.(answered)
    waiting.delete(id)
  })
  await once(child, 'message')
  let last = 0
  const ask = (asked: Asked) => {
    const id = ++last
    child.send({ id, asked })
    return new Promise<Answered>((resolve) => waiting.set(id, resolve))
  }
  return { ask, child }
}

it(
  'on two processes that share a Redis, no page differs from a fresh render once a webhook is answered by either',
  async () => {
    const { count, add } = createCount()
    for (let seed = 1; seed <= graphs; seed++) {
      graph = createGraph(seed)
      const { pick } = createRandom(seed + 1)
      // Each graph is a site of its own.
      const addressOf = (page: string) =>
        `https://site-${seed}.test${page}?reads=${encodeURIComponent(JSON.stringify(graph.readsOf(page)))}`
      const addresses = pages.map(addressOf)
      const shown = new Map<string, string>()
      for (let edit = 0; edit < editsOfGraph; edit++) {
        const visits = processes.map(({ ask }) => ask({ visit: [pick(addresses)] })) // under way during the edit
        const payload = graph.edit()
        expect(await pick(processes).ask({ publish: payload })).toEqual({ status: 200 })
        count.edits++
        const answers = await Promise.all(processes.map(({ ask }) => ask({ visit: addresses })))
        const seen = answers.map((answer) => ('shown' in answer ? answer.shown : []))
        for (const [index, page] of pages.entries()) {
          const fresh = graph.render(page)
          for (const each of seen) expect(each[index]?.body, `seed ${seed}, edit ${edit}, page ${page}`).toBe(fresh)
          add(
            seen.some((each) => each[index]?.isNew),
            shown.get(page),
            fresh,
          )
          shown.set(page, fresh)
        }
        await Promise.all(visits)
      }
    }
    const { edits, purged, same } = count
    if (isLong) console.log(`${edits} edits purged ${purged} pages, of which ${same} were the same`)
    expect(purged).toBeGreaterThan(edits)
    expect(same / purged).toBeLessThan(short(0.1, 0.05))
  },
  short(60_000, 7_200_000),
)
