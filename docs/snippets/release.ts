import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The release, named by what Vite has built (`build.manifest`). */
export function readRelease(): string {
  const manifest = readFileSync('dist/client/.vite/manifest.json')
  return createHash('sha256').update(manifest).digest('hex')
}
