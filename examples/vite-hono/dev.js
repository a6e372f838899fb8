// Development: Vite in front, the same server behind it, loaded anew when something changes.
import { nodeListener } from 'sitewright/node'
import { createServer } from 'vite'
import { folders } from './folders.js'
import { listen, origin } from './listen.js'

const vite = await createServer({ root: import.meta.dirname, server: { middlewareMode: true } })

/** @typedef {typeof import('./src/app.tsx')} Server */
/** @type {{ module?: Server, made?: ReturnType<Server['createApp']> }} */
let current = {}

async function load() {
  const module = /** @type {Server} */ (await vite.ssrLoadModule('/src/app.tsx'))
  if (module !== current.module) current = { module, made: module.createApp(folders, origin) }
  const made = await /** @type {ReturnType<Server['createApp']>} */ (current.made)
  // Failures go to the overlay, below.
  made.app.onError((error) => {
    throw error
  })
  return made
}

/** @param {Request} request */
async function answer(request) {
  try {
    const { app } = await load()
    return await app.fetch(request)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    vite.ssrFixStacktrace(error)
    console.error(error)
    const { message, stack = '' } = error
    vite.environments.client.hot.send({ type: 'error', err: { message, stack } })
    const page = '<!doctype html><title>Error</title><script type="module" src="/@vite/client"></script>'
    return new Response(page, { status: 500, headers: { 'Content-Type': 'text/html; charset=utf-8' } })
  }
}

const respond = nodeListener(answer)
listen((req, res) => vite.middlewares(req, res, () => respond(req, res)), {
  onListening: () =>
    load().then(
      ({ notes }) => console.log(notes),
      () => console.log(`Listening on ${origin}`), // what is wrong is said when the first page is asked for
    ),
  onClose: () => vite.close(),
})
