import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, run, writeProject } from '../../cli/testing/project.js'
import { stepLines } from '../../cli/testing/server.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Each folder has a `package.json` with a version of TypeScript of its own. */
const versions = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory())
const compilers = new Map([
  ...versions.map(({ name }) => [name, join(here, name, 'node_modules/typescript')] as const),
  ['6', join(root, 'node_modules/typescript')],
])
const commandOf = (version: string) => join(compilers.get(version) as string, 'bin/tsc')

/** A client of each package matches the types. */
const clients = `
import * as ioredis from 'ioredis'
import * as ioredis6 from 'ioredis6'
import * as redis from 'redis'
import * as redis6 from 'redis6'
import { redisStore, redisTagIndex } from 'sitewright/redis'

redisStore({ client: redis.createClientPool() })
redisStore({ client: redis6.createClientPool() })
redisStore({ client: redis.createCluster({ rootNodes: [] }) })
redisStore({ client: redis6.createCluster({ rootNodes: [] }) })
redisTagIndex({ client: redis.createClient(), subscriber: redis.createClient() })
redisTagIndex({ client: redis6.createClient(), subscriber: redis6.createClient() })
redisTagIndex({ client: new ioredis.Redis(), subscriber: new ioredis.Redis() })
redisTagIndex({ client: new ioredis6.Redis(), subscriber: new ioredis6.Redis() })
redisStore({ client: new ioredis.Cluster([]) })
redisStore({ client: new ioredis6.Cluster([]) })
`

let project: string
beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), 'sitewright-types-')))
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, 'sitewright'), { recursive: true })
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project]
  const file = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1) ?? ''
  execFileSync('tar', ['-xzf', join(project, file), '-C', join(modules, 'sitewright'), '--strip-components=1'])
  // As in a user's install: of the development dependencies, only the types of Node and React.
  const installed = [...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })]
  for (const name of [...installed, 'redis6', 'ioredis6', '@types/node', '@types/react', '@types/react-dom']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))
  const imports = entries.map((entry, index) => {
    const name = JSON.stringify(`sitewright${entry.slice(1)}`)
    return /\.(?:css|js)$/.test(entry) ? `import ${name}` : `export * as entry${index} from ${name}`
  })
  writeFileSync(join(project, 'entries.ts'), imports.join('\n'))
  writeFileSync(join(project, 'clients.ts'), clients)
}, 60_000)
afterAll(() => rm(project, { recursive: true, force: true }))

/** Without `moduleResolution`, it is that of the module: before TypeScript 6, `node10` for `commonjs`. */
const modes: readonly { module: string; moduleResolution?: string }[] = [
  { module: 'commonjs' },
  { module: 'node16' },
  { module: 'preserve', moduleResolution: 'bundler' },
  { module: 'nodenext' },
]

// A compilation takes some 12 s of processor time, so each version has one of the modes.
const compilations = [...compilers.keys()]
  .sort()
  .map((version, index) => ({ version, ...(modes[index % 4] as (typeof modes)[0]) }))

test.for(compilations)(
  'TypeScript $version, $module: every entry compiles without skipLibCheck',
  { timeout: 300_000 },
  async ({ version, module, moduleResolution }) => {
    const config = join(project, `tsconfig.${version}.${module}.json`)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      // As `tsc --init` writes it; under commonjs, the types of redis need it.
      esModuleInterop: true,
      exactOptionalPropertyTypes: true,
      noUncheckedSideEffectImports: true,
      target: 'ES2023',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      jsx: 'react-jsx',
      types: ['node'],
      module,
      moduleResolution,
    }
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['entries.ts', 'clients.ts'] }))
    const errors = await promisify(execFile)(process.execPath, [commandOf(version), '-p', config], {
      cwd: project,
    }).then(
      () => '',
      ({ stdout, message }) => stdout || message,
    )
    expect(errors).toBe('')
  },
)

test('module node16 in a CommonJS package: init says the setting with which it compiles', { timeout: 300_000 }, () => {
  const server = `
import { expressMiddleware } from 'sitewright/express'
import { createImages } from 'sitewright/image'
import { sharpService } from 'sitewright/sharp'

const images = createImages({ sources: { '/media/': './media' }, service: sharpService() })
export const middleware = expressMiddleware(images.handler)
`
  const tsconfig = (module: string) => ({
    compilerOptions: { module, strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
  })
  const folder = createProject({
    'package.json': { dependencies: { express: '5' } },
    'tsconfig.json': tsconfig('node16'),
    'server.ts': server,
  })
  const compile = () => {
    const { stdout } = spawnSync(process.execPath, [commandOf('5.9')], { cwd: folder, encoding: 'utf8' })
    return new Set(stdout.match(/error TS\d+/g))
  }
  expect(compile()).toEqual(new Set(['error TS1479']))
  const [setting = ''] = stepLines(run(folder, ['init', '--dry-run']).stdout, 'tsconfig.json')
  const [, module = ''] = /^"module": "(\w+)"$/.exec(setting) ?? []
  writeProject(folder, { 'tsconfig.json': tsconfig(module) })
  expect(compile()).toEqual(new Set())
})
