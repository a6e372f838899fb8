import { fileURLToPath } from 'node:url'

/**
 * @typedef {(req: import('node:http').IncomingMessage, res: import('node:http').ServerResponse) => unknown} Listener
 * @typedef {{ listener: Listener, notes: string, close: () => void }} App
 * @typedef {{ createApp: (folders: import('../src/server/site.ts').Folders, origin: string) => Promise<App> }} AppModule
 */

/**
 * Serves the production build of an example, or, with `--dev`, its source through Vite.
 *
 * @param {string} root URL of the example's own `server.js`.
 */
export async function serve(root) {
  const toPath = (/** @type {string} */ path, base = root) => fileURLToPath(new URL(path, base))
  const folders = {
    site: process.env.SITE_FOLDER || toPath('../', import.meta.url),
    styles: toPath('../styles/', import.meta.url),
    styleguide: toPath('../styleguide/', import.meta.url),
    build: toPath('./dist/'),
    cache: toPath('./.cache/'),
  }
  // Imported late: Vite is not installed in production, and React reads NODE_ENV when it is imported.
  if (process.argv.includes('--dev')) return (await import('./dev.js')).develop(toPath('./'), folders)
  process.env.NODE_ENV ??= 'production'
  return (await import('./start.js')).start(toPath('./dist/app.js'), folders)
}
