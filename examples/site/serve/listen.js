import { createServer } from 'node:http'

// All addresses by default, so that localhost works over IPv4, IPv6 and from outside a container.
const host = process.env.HOST || undefined
const port = readPort(process.env.PORT || '3000')
/** Origin of the site. Set SITE_URL behind a proxy. */
export const origin = (
  process.env.SITE_URL || `http://${host?.includes(':') ? `[${host}]` : (host ?? 'localhost')}:${port}`
).replace(/\/$/, '')

/**
 * Listens until SIGTERM or SIGINT; then finishes open requests, closes idle connections, and exits.
 *
 * @param {import('node:http').RequestListener} listener
 * @param {{ server?: import('node:http').Server, onListening: () => void, onClose?: () => Promise<void> }} options
 */
export function listen(listener, { server = createServer(), onListening, onClose }) {
  server.on('request', listener)
  server.on('error', (error) => {
    const isInUse = 'code' in error && error.code === 'EADDRINUSE'
    fail(isInUse ? `Port ${port} is in use; choose another: PORT=${port + 1} npm start` : error.message)
  })
  server.listen(port, host, onListening)

  const close = async () => {
    process.exitCode = 0
    server.close()
    server.closeIdleConnections()
    // Requests that take longer than this are cut off.
    setTimeout(() => process.exit(), 5_000).unref()
    await onClose?.()
  }
  process.once('SIGTERM', close)
  process.once('SIGINT', close)
}

/** @param {string} text */
function readPort(text) {
  const number = Number(text)
  return Number.isInteger(number) && number >= 0 && number < 65_536
    ? number
    : fail(`PORT: expected a port from 0 to 65535, got '${text}'`)
}

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(message)
  process.exit(1)
}
