// Production: runs the server that `vite build` wrote.
import { pathToFileURL } from 'node:url'
import { fail, listen, origin } from './listen.js'

/**
 * @param {string} file
 * @param {import('../src/server/site.ts').Folders} folders
 */
export async function start(file, folders) {
  /** @type {import('./serve.js').AppModule} */
  const { createApp } = await import(pathToFileURL(file).href).catch(() =>
    fail(`${file} is missing; run: npm run build`),
  )
  const { listener, notes, close } = await createApp(folders, origin).catch((error) => fail(error.message))
  listen(listener, { onListening: () => console.log(notes), onClose: async () => close() })
}
