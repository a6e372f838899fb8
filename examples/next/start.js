// Runs `next start` with the environment variables of the other examples.
import { spawn } from 'node:child_process'

const { PORT = '3000', HOST } = process.env
console.log(`Silver & Salt is on http://${HOST ?? 'localhost'}:${PORT}, by Next.js`)
const child = spawn('next', ['start', '--port', PORT, ...(HOST ? ['--hostname', HOST] : [])], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
child.once('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGTERM' || signal === 'SIGINT' ? 0 : 1)))
