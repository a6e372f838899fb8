import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'undici'
import { findProgram } from '../setup/programs.js'
import { type Driver, end, missing, readOutput, type Scheme } from './driver.js'

type Result = Record<string, unknown>

/** Starts Firefox without a window, driven by WebDriver BiDi. */
export async function startFirefox(scheme: Scheme): Promise<Driver> {
  const program = findProgram('firefox-esr')
  if (!program) throw missing('Firefox')
  const profile = await mkdtemp(join(tmpdir(), 'sitewright-firefox-'))
  await writeFile(join(profile, 'user.js'), toPreferences(preferencesOf(scheme)))
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const url = await readOutput(child, child.stderr, /WebDriver BiDi listening on (ws:\S+)/)
  const { send, disconnect } = await connect(`${url}/session`)
  await send('session.new', { capabilities: {} })
  // The window that Firefox opens by itself gets no focus without a window manager.
  const { context } = (await send('browsingContext.create', { type: 'window' })) as { context: string }

  return {
    navigate: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    resize: async (width, height) =>
      void (await send('browsingContext.setViewport', { context, viewport: { width, height } })),
    perform: async (actions) => void (await send('input.performActions', { context, actions })),
    screenshot: async () => {
      const { data } = await send('browsingContext.captureScreenshot', { context })
      return Buffer.from(String(data), 'base64')
    },
    call: async (source, args) => {
      const answer = await send('script.callFunction', {
        functionDeclaration: `async (args) => JSON.stringify(await (${source})(...JSON.parse(args)))`,
        arguments: [{ type: 'string', value: JSON.stringify(args) }],
        awaitPromise: true,
        target: { context },
      })
      const { result, exceptionDetails } = answer as {
        result?: { value?: string }
        exceptionDetails?: { text: string }
      }
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return result?.value === undefined ? undefined : JSON.parse(result.value)
    },
    close: async () => {
      disconnect()
      await end(child)
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function preferencesOf(scheme: Scheme): Record<string, string | number | boolean> {
  return {
    'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
    // Scrollbars take room, as on Windows.
    'widget.gtk.overlay-scrollbars.enabled': false,
  }
}

function toPreferences(preferences: Record<string, string | number | boolean>): string {
  return Object.entries(preferences)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('')
}

/** Connects to WebDriver BiDi, in which each command has a number that its response repeats. */
async function connect(url: string) {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (message: Result) => void>()
  let commands = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Result
    waiting.get(message.id as number)?.(message)
    waiting.delete(message.id as number)
  })
  await once(socket, 'open')

  const send = async (method: string, params: Result): Promise<Result> => {
    const id = ++commands
    const answered = new Promise<Result>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const answer = await answered
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`)
    return answer.result as Result
  }
  return { send, disconnect: () => socket.close() }
}
