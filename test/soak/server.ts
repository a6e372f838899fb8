import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../setup/free-port.js'

/** A server in a separate process, whose memory can be measured. */
export interface MeasuredServer {
  url: string
  /** Bytes of the JavaScript heap and of buffers that are in use after garbage collections. */
  usedBytes(): Promise<number>
  close(): Promise<void>
}

const probe = fileURLToPath(new URL('memory-probe.cjs', import.meta.url))

/**
 * Starts a built server and waits until it answers.
 *
 * @param args Arguments of `node`; `PORT` in them is replaced by the port.
 * @param cwd Folder that it runs in.
 */
export async function startMeasured(args: string[], cwd: URL): Promise<MeasuredServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--require', probe, ...args.map((argument) => argument.replace('PORT', String(port)))],
    {
      cwd: fileURLToPath(cwd),
      env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      printed = `${printed}${text}`.slice(-10_000)
    })
  }
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGKILL')
    await exited
  }
  for (const deadline = Date.now() + 60_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const response = await fetch(url).catch(() => undefined)
    await response?.arrayBuffer()
    if (response) break
    if (child.exitCode === null && Date.now() < deadline) continue
    await close()
    throw new Error(`${args.join(' ')} did not answer:\n${printed}`)
  }
  return {
    url,
    async usedBytes() {
      child.send('measure')
      const [bytes] = await once(child, 'message')
      return bytes as number
    },
    close,
  }
}
