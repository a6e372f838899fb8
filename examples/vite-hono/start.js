// Production: the server that `vite build` made.
import { nodeListener } from 'sitewright/node'
import { folders } from './folders.js'
import { fail, listen, origin } from './listen.js'

process.env.NODE_ENV ??= 'production' // before React is loaded

/** @type {typeof import('./src/app.tsx')} */
const { createApp } = await import(new URL('./dist/app.js', import.meta.url).href)
const { app, notes } = await createApp(folders, origin).catch((error) => fail(error.message))
listen(
  nodeListener(async (request) => app.fetch(request)),
  { onListening: () => console.log(notes) },
)
