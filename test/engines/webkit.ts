import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../setup/free-port.js'
import { findProgram } from '../setup/programs.js'
import { type Driver, end, missing, readOutput, type Scheme } from './driver.js'

// Without this, the toolbar of MiniBrowser keeps its window at 447 pixels or more.
const toolbarStyle = '* { min-width: 0; min-height: 0; padding: 0; margin: 0; font-size: 1px }'

/** Starts WebKitGTK's MiniBrowser on a display of its own, driven by WebDriver. */
export async function startWebKit(scheme: Scheme): Promise<Driver> {
  const [xvfb, webdriver] = ['Xvfb', 'WebKitWebDriver'].map((program) => {
    const path = findProgram(program)
    if (!path) throw missing(program)
    return path
  }) as [string, string]
  const config = await mkdtemp(join(tmpdir(), 'sitewright-webkit-'))
  await mkdir(join(config, 'gtk-3.0'))
  await writeFile(join(config, 'gtk-3.0/gtk.css'), toolbarStyle)

  const display = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await readOutput(display, display.stdio[3] as NodeJS.ReadableStream, /(\d+)\n/)
  const port = await freePort()
  const driver = spawn(webdriver, ['-p', String(port)], {
    env: {
      ...process.env,
      DISPLAY: `:${number}`,
      NO_AT_BRIDGE: '1',
      XDG_CONFIG_HOME: config,
      XDG_DATA_HOME: config,
      XDG_CACHE_HOME: config,
      GTK_THEME: scheme === 'dark' ? 'Adwaita:dark' : 'Adwaita',
    },
    stdio: 'ignore',
  })
  const base = `http://127.0.0.1:${port}/session`
  const { sessionId } = await begin(base, driver)
  const send = (path: string, body?: unknown) => request(`${base}/${sessionId}${path}`, body ? 'POST' : 'GET', body)

  return {
    navigate: async (url) => void (await send('/url', { url })),
    resize: async (width, height) => {
      await send('/window/rect', { width, height })
      // The page learns of it later.
      const isResized = () => send('/execute/sync', { script: `return innerWidth === ${width}`, args: [] })
      for (const deadline = Date.now() + 10_000; !(await isResized()); await sleep(20)) {
        if (Date.now() > deadline) throw new Error(`the window did not become ${width} pixels wide`)
      }
    },
    perform: async (actions) => void (await send('/actions', { actions })),
    screenshot: async () => Buffer.from(String(await send('/screenshot')), 'base64'),
    call: (source, args) => send('/execute/sync', { script: `return (${source})(...arguments)`, args }),
    close: async () => {
      await request(`${base}/${sessionId}`, 'DELETE')
      await end(driver)
      await end(display)
      await rm(config, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Creates a session as soon as the driver listens. */
async function begin(base: string, driver: ChildProcess): Promise<{ sessionId: string }> {
  const capabilities = { alwaysMatch: { browserName: 'MiniBrowser' } }
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(50)) {
    if (driver.exitCode !== null) break
    const response = await request(base, 'POST', { capabilities }).catch((error) => {
      if (error instanceof TypeError) return undefined // nobody listens yet
      throw error
    })
    if (response) return response as { sessionId: string }
  }
  throw new Error('WebKitWebDriver did not answer')
}

async function request(url: string, method: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
  const { value } = (await response.json()) as { value: unknown }
  if (response.ok) return value
  const { error, message } = value as { error: string; message: string }
  throw new Error(`${url}: ${error}: ${message}`)
}
