import { createServer } from 'node:http'

// Every address unless told, so that localhost means the same by IPv4, by IPv6 and from outside a container.
const host = process.env.HOST || undefined
const port = readPort(process.env.PORT || '3000')
/** Where the site is. Behind a proxy, SITE_URL says so. */
export const origin = (
  process.env.SITE_URL || `http://${host?.includes(':') ? `[${host}]` : (host ?? 'localhost')}:${port}`
).replace(/\/$/, '')

/**
 * Listens until SIGTERM or SIGINT; then answers what was asked, closes what else is open, and ends.
 *
 * @param {import('node:http').RequestListener} listener
 * @param {{ onListening: () => void, onClose?: () => Promise<void> }} events
 */
export function listen(listener, { onListening, onClose }) {
  const server = createServer(listener)
  server.on('error', (error) => {
    const isTaken = 'code' in error && error.code === 'EADDRINUSE'
    fail(isTaken ? `Port ${port} is taken; choose another: PORT=${port + 1} npm start` : error.message)
  })
  server.listen(port, host, onListening)

  const close = async () => {
    process.exitCode = 0
    server.close()
    server.closeIdleConnections()
    // Whoever does not finish within this time never will.
    setTimeout(() => process.exit(), 5_000).unref()
    await onClose?.()
  }
  process.once('SIGTERM', close)
  process.once('SIGINT', close)
}

/** @param {string} text */
function readPort(text) {
  const number = Number(text)
  return Number.isInteger(number) && number >= 0 && number < 65_536 ? number : fail(`PORT: '${text}' is no port`)
}

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(message)
  process.exit(1)
}
