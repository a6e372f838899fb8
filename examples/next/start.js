// `next start`, with the same variables as the other examples.
import { spawn } from 'node:child_process'

const { PORT = '3000', HOST } = process.env
console.log(`Silver & Salt is on http://${HOST ?? 'localhost'}:${PORT}, by Next.js`)
const child = spawn('next', ['start', '--port', PORT, ...(HOST ? ['--hostname', HOST] : [])], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
child.once('exit', (code) => process.exit(code ?? 0))
