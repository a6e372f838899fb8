import { readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

/**
 * The entries of the package that have documentation of their own: `sitewright` itself only exports again what others have, and
 * stylesheets and scripts have no types.
 */
export const referenceEntries = Object.entries(exports)
  .map(([name, target]) => ({ name: name.slice(2), target: typeof target === 'string' ? target : target.default }))
  .filter(({ name, target }) => name !== '' && target.endsWith('/index.js'))
  .map(({ name, target }) => {
    const module = target.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts')
    return {
      name: `sitewright/${name}`,
      source: new URL(module, root).pathname,
      folder: module.replace('/index.ts', ''),
    }
  })
