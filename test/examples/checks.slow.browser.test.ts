import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen } from '../adapter/listen.js'
import { findProgram } from '../setup/programs.js'

const folder = mkdtempSync(join(tmpdir(), 'checks-'))
let server: Awaited<ReturnType<typeof listen>>
let text = 'Read on'
let red = 0

/** Draws other pixels each time, as an image service does that encodes a photograph anew. */
function drawPhoto(): string {
  red += 20
  return `<svg xmlns="http://www.w3.org/2000/svg"><path fill="rgb(${red} 0 0)" d="M0 0h9v9H0z"/></svg>`
}

beforeAll(async () => {
  const variants = [{ title: 'Solid', href: '/styleguide/button/solid', states: [], widths: [390] }]
  const index = { components: [{ title: 'Button', schemes: ['light', 'dark'], variants }] }
  server = await listen(
    createServer(({ url }, response) => {
      if (url?.endsWith('index.json')) return void response.end(JSON.stringify(index))
      const isPhoto = url === '/photo'
      response.setHeader('content-type', isPhoto ? 'image/svg+xml' : 'text/html')
      if (isPhoto) return void response.end(drawPhoto())
      const photo = '<img src="/photo" width="9" height="9" alt="">'
      response.end(`<!doctype html><html lang="en"><title>Solid</title>${photo}<button>${text}</button></html>`)
    }),
  )
})

afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true })
})

const run = (script: string, ...args: string[]) =>
  new Promise<string>((resolve) => {
    const env = { ...process.env, CHROMIUM: findProgram('chromium') }
    execFile('node', [`examples/checks/${script}`, `${server.url}/styleguide`, ...args], { env }, (_, __, err) =>
      resolve(err),
    )
  })

it('the scripts photograph each frame, compare it with the last picture, and check it with axe', async () => {
  expect(await run('pictures.js', folder)).toBe('')
  const pictures = ['styleguide-button-solid-390-dark.png', 'styleguide-button-solid-390-light.png']
  expect(readdirSync(folder)).toEqual(pictures)
  expect(await run('pictures.js', folder)).toBe('')
  expect(await run('axe.js')).toBe('')
  text = ''
  expect(await run('pictures.js', folder)).toBe(
    [...pictures.map((name) => `${folder}/${name} differs\n`)].reverse().join(''),
  )
  expect(await run('axe.js')).toContain('/styleguide/button/solid light button-name <button></button>')
})
