// Removes the types that no export of the package reaches, so that the package has a fifth fewer files.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
/** @type {(string | Record<string, string>)[]} */
const targets = Object.values(manifest.exports)
const files = targets.flatMap((target) => (typeof target === 'string' ? target : Object.values(target)))
const toTypes = (/** @type {string} */ path) => join(path).replace(/(?<!\.d)\.[cm]?[jt]s$/, '.d.ts')
const names = readdirSync('dist', { recursive: true, encoding: 'utf8' })
const all = new Set(names.filter((name) => name.endsWith('.d.ts')).map((name) => join('dist', name)))
const reached = new Set(files.map(toTypes).filter((path) => all.has(path)))
for (const path of reached) {
  const imports = readFileSync(path, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']/g)
  for (const [, imported = ''] of imports) {
    const next = toTypes(join(dirname(path), imported))
    if (all.has(next)) reached.add(next) // not an import in the example of a comment
  }
}
for (const path of all) if (!reached.has(path)) rmSync(path)
