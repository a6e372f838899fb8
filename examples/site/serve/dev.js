// Development: Vite in front, the same server behind it, loaded anew when something changes.
import { createServer } from 'vite'
import { listen, origin } from './listen.js'

/**
 * @param {string} root
 * @param {import('../src/server/handlers.ts').Folders} folders
 */
export async function develop(root, folders) {
  const vite = await createServer({ root, server: { middlewareMode: true } })
  /** @type {{ module?: import('./serve.js').App, made?: Promise<import('./serve.js').Made> }} */
  let current = {}

  const load = async () => {
    const module = /** @type {import('./serve.js').App} */ (await vite.ssrLoadModule('/src/app.ts'))
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
      if (!(error instanceof Error)) throw error
      vite.ssrFixStacktrace(error)
      console.error(error)
      const { message, stack = '' } = error
      vite.environments.client.hot.send({ type: 'error', err: { message, stack } })
      res.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' })
      res.end('<!doctype html><title>Error</title><script type="module" src="/@vite/client"></script>')
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
