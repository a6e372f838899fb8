import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listen } from '../../adapter/listen.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Starts a registry that has this package as it would be published, so that its name in an install command means the built one.
 * For every other package, it redirects to the registry that npm is configured with.
 */
export async function startRegistry(): Promise<{ url: string; tarball: string; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'sitewright-registry-'))
  // Without scripts: it is built already.
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }))
  const tarball = join(folder, filename)
  const file = readFileSync(tarball)
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim().replace(/\/$/, '')
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name, version } = manifest
  const path = `/${name}/-/${name}-${version}.tgz`

  const registry = createServer((request, response) => {
    const url = request.url ?? '/'
    if (url === path) return void response.end(file)
    if (url !== `/${name}`) return void response.writeHead(302, { Location: upstream + url }).end()
    const dist = {
      tarball: `http://${request.headers.host}${path}`,
      shasum: createHash('sha1').update(file).digest('hex'),
      integrity: `sha512-${createHash('sha512').update(file).digest('base64')}`,
    }
    // Without those for development, as the published package.json is read by nobody else.
    const published = { ...manifest, _id: `${name}@${version}`, devDependencies: {}, scripts: {}, dist }
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: published } }))
  })
  const { url, close } = await listen(registry)
  return {
    url,
    tarball,
    close: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
