import { fileURLToPath } from 'node:url'

/**
 * @typedef {(req: import('node:http').IncomingMessage, res: import('node:http').ServerResponse) => unknown} Listener
 * @typedef {{ listener: Listener, notes: string, close: () => void }} Made
 * @typedef {{ createApp: (folders: import('../src/server/handlers.ts').Folders, origin: string) => Promise<Made> }} App
 */

/**
 * Serves an example: as it was built, or, with `--dev`, with Vite in front.
 *
 * @param {string} root URL of the example's own `server.js`.
 */
export async function serve(root) {
  const from = (/** @type {string} */ path, base = root) => fileURLToPath(new URL(path, base))
  const folders = {
    site: process.env.SITE_FOLDER || from('../', import.meta.url),
    styles: from('../styles/', import.meta.url),
    styleguide: from('../styleguide/', import.meta.url),
    build: from('./dist/'),
    cache: from('./.cache/'),
  }
  // Loaded when it is known which: Vite is no part of production, and React reads NODE_ENV when it is loaded.
  if (process.argv.includes('--dev')) return (await import('./dev.js')).develop(from('./'), folders)
  process.env.NODE_ENV ??= 'production'
  return (await import('./start.js')).start(from('./dist/app.js'), folders)
}
