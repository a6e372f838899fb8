import { readFile } from 'node:fs/promises'

// The content that the tests edit.
export const readText = () =>
  process.env.TEXT_FILE ? readFile(/* turbopackIgnore: true */ process.env.TEXT_FILE, 'utf8') : 'built'
