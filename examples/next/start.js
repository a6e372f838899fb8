// Runs `next start` with the environment variables of the other examples.
import { spawn } from 'node:child_process'
import { createImageLoader } from 'sitewright/image'

const { PORT = '3000', HOST } = process.env
const origin = `http://${HOST ?? 'localhost'}:${PORT}`
const image = origin + createImageLoader({ sources: ['/media/'] })({ src: '/media/black-canyon.jpg', width: 640 })
const isStyleguideOn = process.env.STYLEGUIDE_ENABLED === 'true'
console.log(`Silver & Salt is on ${origin}, by Next.js

  Open first  ${origin}   ${origin}/de
  Styleguide  ${isStyleguideOn ? `${origin}/styleguide` : 'off; STYLEGUIDE_ENABLED=true turns it on'}
  Picture     ${image}
  Try         curl -sS -o /dev/null -D - -H 'Accept: image/avif' '${image}'
`)
const child = spawn('next', ['start', '--port', PORT, ...(HOST ? ['--hostname', HOST] : [])], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
child.once('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGTERM' || signal === 'SIGINT' ? 0 : 1)))
