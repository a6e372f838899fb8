import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { buildSite, startSite } from '../next-prerender/next.js'
import { createRun, installOnce } from './install.js'
import { packages, version } from './payload.js'

let site: Awaited<ReturnType<typeof startSite>>

const call = async (name: string, args: object = {}) => {
  const response = await fetch(`${site.url}/edit`, { method: 'POST', body: JSON.stringify({ name, args }) })
  if (!response.ok) throw new Error(`${name}: ${response.status}`)
  return response.json()
}
const create = (title: string, category: number, status = 'published') =>
  call('create', { collection: 'posts', data: { title, category, _status: status } })
/** Returns the text of the page, and the id of its render. */
const visit = async () => {
  const [, text = ''] = /<p>([^<]*)/.exec(await (await fetch(site.url)).text()) ?? []
  const parts = text.split(', ')
  return { id: parts.pop(), text: parts.join(', ') }
}

afterEach(() => site?.close())

// Payload's website template has no `cacheComponents`.
it.each([
  ["a 'use cache' function", 'payload-next'],
  ['a prerendered page', 'payload-isr'],
])(
  '%s on Next.js that queries Payload by category is new after each edit that concerns it, and after no other',
  async (_, name) => {
    const app = join(import.meta.dirname, name)
    const folder = await installOnce(`payload-${version}`, packages)
    const run = await createRun(folder)
    onTestFinished(() => rm(run, { recursive: true, force: true }))
    const environment = { PAYLOAD_MODULES: join(folder, 'node_modules'), DATABASE: join(run, 'data.db') }
    // In production, Payload creates no tables.
    const tables = `import('../payload-next/payload.js').then(({ startPayload }) => startPayload([])).then(() => process.exit())`
    await promisify(execFile)(process.execPath, ['-e', tables], { cwd: app, env: { ...process.env, ...environment } })
    await buildSite(app, environment)
    site = await startSite(app, environment)

    for (const title of ['boats', 'trains']) await call('create', { collection: 'categories', data: { title } })
    const { id } = await create('a', 1)
    expect(await visit()).toMatchObject({ text: 'a in boats' })
    await call('update', { collection: 'categories', id: 1, data: { title: 'ships' } })
    const shown = await visit()
    expect(shown.text).toBe('a in ships')

    const other = await create('b', 2)
    expect(await visit()).toEqual(shown)
    await call('update', { collection: 'posts', id: other.id, data: { category: 1 } })
    expect((await visit()).text).toBe('a in ships, b in ships')
    await call('update', { collection: 'posts', id, data: { _status: 'draft' } })
    expect((await visit()).text).toBe('b in ships')
    const input = { type: 'publish', doc: { relationTo: 'posts', value: String(id) } }
    await call('queue', { task: 'schedulePublish', input })
    await call('run')
    expect((await visit()).text).toBe('a in ships, b in ships')
    await call('delete', { collection: 'posts', id })
    expect((await visit()).text).toBe('b in ships')
  },
  600_000,
)
