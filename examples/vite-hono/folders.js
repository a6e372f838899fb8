import { fileURLToPath } from 'node:url'

const from = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

/** @type {import('./src/app.tsx').Folders} */
export const folders = { site: from('../site/'), assets: from('./dist/assets/'), cache: from('./.cache/') }
