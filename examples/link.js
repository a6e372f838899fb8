// Lets the examples import the package by its name, as a user's site does. npm cannot: it writes a workspace's dependency
// on the root into the lock file in a form that `npm ci` rejects.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
mkdirSync(modules, { recursive: true })
rmSync(`${modules}sitewright`, { recursive: true, force: true })
symlinkSync(
  process.platform === 'win32' ? fileURLToPath(new URL('..', import.meta.url)) : '..',
  `${modules}sitewright`,
  'junction',
)
