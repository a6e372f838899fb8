import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import { fileURLToPath } from 'node:url'

/** Starts a server in its own process, apart from the client, and waits until it responds. */
export async function start(command, args, env = {}, cwd = fileURLToPath(new URL('.', import.meta.url))) {
  const port = await freePort()
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  const origin = `http://127.0.0.1:${port}`
  while (!(await request(origin, {}).catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${command} ${args.join(' ')}: exit code ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { origin, pid: child.pid, close: async () => void process.kill(-child.pid, 'SIGTERM') }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

export const agent = new Agent({ keepAlive: true })

/** Sends a request with Node's own client, and reads the whole body. */
export function request(url, headers) {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    }).on('error', reject)
  })
}

/** Requests an image in one format, with its entity tag in `headers`. */
export async function fetchImage(url, format) {
  const response = await request(url, { accept: `${format},*/*` })
  const type = response.headers['content-type']
  if (response.status !== 200 || type !== format) throw new Error(`${url}: ${response.status} ${type}`)
  return response
}
