import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const examples = new URL('../../examples/', import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, examples), 'utf8'))
const folders = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(new URL(`${entry.name}/`, examples)).includes('package.json'))
  .map(({ name }) => name)
const packages = new Map<string, Record<string, unknown>>(
  folders.map((folder) => [folder, read(`${folder}/package.json`)]),
)
const ours = [...packages.values()].map(({ name }) => name as string)

test.each(folders)('examples/%s installs nothing of this repository by a name on the registry', (folder) => {
  const { dependencies = {}, devDependencies = {}, private: isPrivate } = packages.get(folder) ?? {}
  expect(isPrivate).toBe(true)
  for (const [name, range] of Object.entries({ ...(dependencies as object), ...(devDependencies as object) })) {
    // Names that were ours once: `example-site` on the registry is a stranger's.
    expect(name).not.toMatch(/^example-/)
    if (ours.includes(name) || name.startsWith('@sitewright/')) expect([name, range]).toEqual([name, 'file:../site'])
  }
})

test('the lock file links the site of the examples, and names no registry', () => {
  const { packages } = read('../package-lock.json')
  expect(packages['node_modules/@sitewright/example-site']).toEqual({ resolved: 'examples/site', link: true })
  const resolved = Object.values(packages as Record<string, { resolved?: string }>).map((each) => each.resolved)
  expect(resolved.filter((url) => url?.includes(':'))).toEqual([])
})
