import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../setup/free-port.js'

it.for(['vite-hono', 'vite-express', 'next'])(
  'npm start of %s prints what to open first, and every feature is on',
  async (name) => {
    const folder = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))
    const { scripts } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
    // `npm test` has built the example.
    const [build, command] = scripts.start.split(' && ')
    expect(build).toBe('npm run --silent build')
    const { STYLEGUIDE_ENABLED, REVALIDATE_SECRET, ...env } = process.env
    const port = String(await freePort())
    // With npm, so that PATH has the programs of the packages; in its own process group, so that all processes end.
    const child = spawn('npm', ['exec', '--call', command], {
      cwd: folder,
      env: { ...env, PORT: port },
      detached: true,
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text))
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    onTestFinished(async () => {
      if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM')
      await ended
    })
    const origin = `http://localhost:${port}`
    const ask = (url: string) => fetch(url).catch(() => undefined)
    while (!(await ask(origin)) && child.exitCode === null) await sleep(100)

    const printedValue = (row: string) => new RegExp(`^  ${row} +(\\S+)`, 'm').exec(printed)?.[1] ?? ''
    expect(printedValue('Open first')).toBe(origin)
    for (const row of ['Open first', 'Styleguide', 'Picture'])
      expect([row, (await ask(printedValue(row)))?.status]).toEqual([row, 200])
  },
)
