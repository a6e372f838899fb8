// Development: Vite in front, the same server behind it, loaded anew when something changes.
import { createServer, isRunnableDevEnvironment } from 'vite'
import { listen, origin } from './listen.js'
import { overlayPage } from './overlay.js'

/**
 * @param {string} root
 * @param {import('../src/server/handlers.ts').Folders} folders
 */
export async function develop(root, folders) {
  const vite = await createServer({ root, server: { middlewareMode: true } })
  const { ssr } = vite.environments
  if (!isRunnableDevEnvironment(ssr)) throw new Error('Vite does not run the server in this process')
  /** @type {{ module?: import('./serve.js').App, made?: Promise<import('./serve.js').Made> }} */
  let current = {}

  const load = async () => {
    const module = /** @type {import('./serve.js').App} */ (await ssr.runner.import('/src/app.ts'))
    if (module !== current.module) current = { module, made: module.createApp(folders, origin) }
    return /** @type {Promise<import('./serve.js').Made>} */ (current.made)
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
    onListening: () =>
      load().then(
        ({ notes }) => console.log(notes),
        () => console.log(`Listening on ${origin}`), // what is wrong is said when the first page is asked for
      ),
    onClose: () => vite.close(),
  })
}
