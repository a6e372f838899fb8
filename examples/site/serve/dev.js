// Development: Vite in front of the same server, which is reloaded when a file changes.
import { createServer as createHttpServer } from 'node:http'
import { createServer, isRunnableDevEnvironment } from 'vite'
import { listen, origin } from './listen.js'
import { overlayPage } from './overlay.js'

/**
 * @param {string} root
 * @param {import('../src/server/site.ts').Folders} folders
 */
export async function develop(root, folders) {
  const server = createHttpServer()
  // On the site's own port. Vite's default is one port for all sites in development, so a second would hear nothing.
  const hmr = { server }
  // An editor empties a file before it writes the new text.
  const watch = { awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 } }
  const vite = await createServer({ root, server: { middlewareMode: true, hmr, watch } })
  const { ssr } = vite.environments
  if (!isRunnableDevEnvironment(ssr)) throw new Error('Vite does not run the server in this process')
  /** @type {{ module?: import('./serve.js').AppModule, app?: Promise<import('./serve.js').App> }} */
  let current = {}

  const load = async () => {
    const module = /** @type {import('./serve.js').AppModule} */ (await ssr.runner.import('/src/app.ts'))
    if (module !== current.module) current = { module, app: module.createApp(folders, origin) }
    return /** @type {Promise<import('./serve.js').App>} */ (current.app)
  }

  /**
   * @param {import('node:http').IncomingMessage} req
   * @param {import('node:http').ServerResponse} res
   */
  const respond = async (req, res) => {
    try {
      const { listener } = await load()
      await listener(req, res)
    } catch (error) {
      console.error(error)
      res.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' })
      res.end(overlayPage(error))
    }
  }

  listen((req, res) => vite.middlewares(req, res, () => respond(req, res)), {
    server,
    onListening: () =>
      load().then(
        ({ notes }) => console.log(notes),
        () => console.log(`Listening on ${origin}`), // the first request shows the error
      ),
    onClose: () => vite.close(),
  })
}
