import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Adoption } from '../../core/styleguide/index.js'
import { listen } from '../adapter/listen.js'
import { type RunningExample, startExample } from './start.js'

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url))
const site = path('examples/site')
const faults = '<h2>Two</h2><h4>Four</h4><img src="/media/cat.jpg"><article class="card"></article>'

let example: RunningExample
/** Serves the same site, with faults at the end of one page. */
let faulty: Awaited<ReturnType<typeof listen>>
const folder = mkdtempSync(join(tmpdir(), 'adoption-'))

beforeAll(async () => {
  example = await startExample('vite-hono', { STYLEGUIDE_ENABLED: 'true' })
  faulty = await listen(
    createServer(async ({ url = '' }, response) => {
      const answer = await fetch(example.url + url, { redirect: 'manual' })
      const body = (await answer.text()).replace('</main>', url === '/about' ? `${faults}$&` : '$&')
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body)
    }),
  )
  cpSync(join(site, 'styles'), join(folder, 'styles'), { recursive: true })
})

afterAll(async () => {
  await faulty?.close()
  await example?.close()
  rmSync(folder, { recursive: true })
})

function check(
  cwd: string,
  url: string,
  ...options: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const args = ['styleguide', 'check', url, '--css', 'styles', '--tokens', 'styles/tokens.css', ...options]
  return new Promise((resolve) => {
    const child = execFile('node', [path('dist/cli/index.js'), ...args], { cwd }, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
  })
}

it('the site follows its styleguide, whose page shows that', async () => {
  const { code, out, err } = await check(site, example.url, '--json', '--min', '100')
  expect([code, err]).toEqual([0, ''])
  const { shares, components, ...faults } = JSON.parse(out) as Adoption
  expect(faults).toEqual({ strays: [], pairs: [], pictures: [], headings: [] })
  expect(shares.map(({ percent }) => percent)).toEqual([100, 100, 100])
  expect(components.map(({ component }) => component)).toEqual([
    'Card',
    'Figure',
    'Footer',
    'Language switch',
    'Masthead',
  ])
  expect(components[0]?.pages).toEqual(['/', '/de'])
  // Written by the same command: `… --json > styleguide/adoption.json` in examples/site.
  expect(JSON.parse(readFileSync(join(site, 'styleguide/adoption.json'), 'utf8'))).toEqual(JSON.parse(out))
  const page = await (await fetch(`${example.url}/styleguide/adoption`)).text()
  expect(page.replaceAll('<!-- -->', '')).toContain('<strong>Colors</strong> 45 of 45')
})

it('`sitewright styleguide check` finds a fault of each kind', async () => {
  appendFileSync(
    join(folder, 'styles/home.css'),
    '.card {\n  color: #7e2c1b;\n  font-size: 15.5px;\n  margin: 0 auto 13px;\n}\n',
  )
  appendFileSync(join(folder, 'styles/tokens.css'), ':root { --color-ink: #999 }')
  const { code, out, err } = await check(folder, faulty.url, '--json', '--min', '100')
  expect([code, err]).toEqual([1, 'Error: min: expected at least 100 % of the values to be tokens, got 147 of 150\n'])
  const { strays, pairs, pictures, headings, components } = JSON.parse(out) as Adoption
  const lines = readFileSync(join(site, 'styles/home.css'), 'utf8').split('\n').length
  expect(strays).toEqual([
    {
      place: `styles/home.css:${lines + 1}:3`,
      property: 'color',
      value: '#7e2c1b',
      token: '--color-accent',
      difference: 'ΔE 0.2',
    },
    {
      place: `styles/home.css:${lines + 2}:3`,
      property: 'font-size',
      value: '15.5px',
      token: '--size-note',
      difference: '0.5 px',
    },
    {
      place: `styles/home.css:${lines + 3}:3`,
      property: 'margin',
      value: '13px',
      token: '--space-3',
      difference: '1 px',
    },
  ])
  expect(pairs.map(({ text, ground }) => `${text} on ${ground}`)).toEqual(['ink on paper'])
  expect(pictures).toEqual([{ page: '/about', picture: '/media/cat.jpg' }])
  expect(headings).toEqual([{ page: '/about', heading: 'h4 Four', after: 'h2' }])
  expect(components[0]).toEqual({ component: 'Card', pages: ['/', '/about', '/de'] })
})
