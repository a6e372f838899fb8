import { readFile } from 'node:fs/promises'
import { cacheLife, cacheTag } from 'next/cache'

// The reads are ignored by Turbopack, which would otherwise trace the whole repository.

/** What the editor wrote last, as of the last purge. */
export async function readText() {
  'use cache'
  cacheTag('document')
  cacheLife('max')
  return process.env.TEXT_FILE ? readFile(/*turbopackIgnore: true*/ process.env.TEXT_FILE, 'utf8') : 'nothing yet'
}

export async function readRemote() {
  'use cache: remote'
  cacheTag('document')
  cacheLife('max')
  return process.env.TEXT_FILE ? readFile(/*turbopackIgnore: true*/ process.env.TEXT_FILE, 'utf8') : 'nothing yet'
}
