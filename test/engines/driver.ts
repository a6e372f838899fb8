import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Color scheme that a browser reports as the system's. */
export type Scheme = 'light' | 'dark'

/** An input source of WebDriver's actions, which WebDriver BiDi has as well (W3C WebDriver, 15.4). */
export interface InputSource {
  type: 'key' | 'pointer'
  id: string
  actions: Record<string, unknown>[]
}

/** The operations of a browser that the tests need, with either protocol. The browser has one window. */
export interface Driver {
  /** Opens a URL and waits for its `load` event. */
  navigate(url: string): Promise<void>
  /** Calls a function, given as source text, in the page. Returns its result, awaited, as JSON. */
  call(source: string, args: readonly unknown[]): Promise<unknown>
  perform(sources: InputSource[]): Promise<void>
  /** Sets the size of the viewport in CSS pixels; WebKit's height is less by that of its toolbar. */
  resize(width: number, height: number): Promise<void>
  /** Returns the viewport as PNG. */
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

/** The error for a browser that is not installed. It names the command that installs all of them. */
export function missing(program: string): Error {
  return new Error(`${program} is missing: run \`LONG=1 node test/setup/install.js\``)
}

/** Waits until a program prints a match of the pattern, and returns the first group. */
export function readOutput(
  child: ChildProcess,
  stream: NodeJS.ReadableStream | null,
  pattern: RegExp,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    stream?.on('data', (text) => {
      output += text
      const match = pattern.exec(output)?.[1]
      if (match !== undefined) resolve(match)
    })
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`${child.spawnfile} ended with ${code}: ${output}`)))
  })
}

/** Ends a program and waits until it has. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  child.kill()
  await ended
}
