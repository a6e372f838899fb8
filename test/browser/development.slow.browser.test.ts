import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { freePort } from '../setup/free-port.js'
import { connectToChromium } from './chromium.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const servers: Record<string, string[]> = {
  'vite-hono': ['--env-file=../start.env', 'server.js', '--dev'],
  next: [join(root, 'node_modules/next/dist/bin/next'), 'dev'],
}

interface Edit {
  file: string
  from: string
  to: string
  /** Path of the page that is open during the edit. */
  path: string
  /** Whether the page shows the edit. */
  shows: (page: Page) => Promise<boolean>
}

const hasText = (text: string) => async (page: Page) => (await page.content()).includes(text)
const edits: Record<string, Edit> = {
  'a token': {
    file: 'styles/tokens.css',
    from: '#7d2c1b',
    to: '#0a7d33',
    path: 'foundations/colors',
    shows: hasText('#0a7d33'),
  },
  Markdown: {
    file: 'styleguide/1-principles.md',
    from: 'The photograph comes first',
    to: 'The photograph comes last',
    path: 'principles',
    shows: hasText('comes last'),
  },
  'a stylesheet': {
    file: 'styles/styleguide.css',
    from: 'padding: var(--space-5)',
    to: 'padding: 77px',
    path: 'writing/captions',
    shows: (page) => page.locator('.specimen').evaluate((element) => getComputedStyle(element).paddingTop === '77px'),
  },
}

let folder: string
let browser: Browser
let server: ChildProcess | undefined

beforeAll(async () => {
  browser = await connectToChromium()
  // Beside the examples, so that their relative paths and packages are found.
  folder = await mkdtemp(join(root, 'examples-'))
  const isSource = (path: string) => !['node_modules', 'dist', '.next', '.cache'].includes(basename(path))
  await cp(join(root, 'examples'), folder, { recursive: true, filter: isSource })
  await mkdir(join(folder, 'node_modules/@sitewright'), { recursive: true })
  await symlink('../../site', join(folder, 'node_modules/@sitewright/example-site'))
}, 120_000)

afterEach(async () => {
  const ended = new Promise((resolve) => server?.once('close', resolve))
  if (server?.pid) process.kill(-server.pid, 'SIGTERM')
  await ended
})

afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

it.each(Object.keys(servers))(
  '%s shows an edit of a token, Markdown and a stylesheet in the page that is open',
  async (name) => {
    const port = String(await freePort())
    server = spawn(process.execPath, servers[name] as string[], {
      cwd: join(folder, name),
      env: { ...process.env, NODE_ENV: 'development', STYLEGUIDE_ENABLED: 'true', PORT: port },
      stdio: ['ignore', 'ignore', 'inherit'],
      // In its own process group, so that its children end with it.
      detached: true,
    })
    const page = await browser.newPage()
    for (const [name, { file, from, to, path, shows }] of Object.entries(edits)) {
      const url = `http://localhost:${port}/styleguide/${path}`
      await expect
        .poll(() => page.goto(url, { timeout: 120_000 }).catch(() => null), { timeout: 150_000 })
        .not.toBeNull()
      expect(await shows(page), `${name}, before`).toBe(false)
      const saved = join(folder, 'site', file)
      const text = await readFile(saved, 'utf8')
      const saveAndLook = async () => {
        // Saved again in each attempt, because the page may not be connected yet.
        await writeFile(saved, text.replace(from, to))
        return shows(page).catch(() => false)
      }
      await expect.poll(saveAndLook, { message: name, interval: 3_000, timeout: 60_000 }).toBe(true)
      await writeFile(saved, text)
    }
    await page.close()
  },
  400_000,
)
