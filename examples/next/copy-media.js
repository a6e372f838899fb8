// Next.js serves what is in public as it is: the originals, and what crawlers read.
import { cp, rm } from 'node:fs/promises'

const to = new URL('public/', import.meta.url)
await rm(to, { recursive: true, force: true })
await cp(new URL('../site/public/', import.meta.url), to, { recursive: true })
await cp(new URL('../site/media/', import.meta.url), new URL('media/', to), { recursive: true })
await cp(new URL('../site/styles/icon.svg', import.meta.url), new URL('icon.svg', to))
