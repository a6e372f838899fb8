// Measures each part of the package on its own, and writes the table of docs/start/parts.md: the packages and the code that a server
// loads for it, and what its pages send to a browser. With `--check`, says which rows differ by more than 5 %.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const page = 'docs/start/parts.md'
const tolerance = 0.05
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8'))

/** @type {{ part: string, entries: string[], peers?: string[], files?: string[] }[]} */
const parts = [
  { part: 'images, by sharp', entries: ['image', 'sharp'], peers: ['sharp'], files: ['placeholder.css'] },
  { part: 'images, by an imgproxy', entries: ['image', 'imgproxy'], files: ['placeholder.css'] },
  { part: 'response cache', entries: ['cache'] },
  { part: 'revalidation and webhooks', entries: ['revalidate', 'webhooks'] },
  {
    part: 'styleguide',
    entries: ['styleguide', 'react/styleguide'],
    peers: ['react', 'react-dom'],
    files: ['styleguide.css', 'styleguide.js'],
  },
  { part: 'localized pages', entries: ['localized-pages'] },
  { part: 'spacing', entries: ['spacing'], files: ['spacing.css'] },
  { part: 'any of them on Node or Hono', entries: ['node'], peers: ['undici'] },
  { part: 'any of them on Express', entries: ['express'] },
]

const rows = await Promise.all(parts.map(measure))
const own = manifest.files.reduce((/** @type {number} */ sum, /** @type {string} */ path) => sum + bytesOf(path), 0)
const all = installed(Object.keys(manifest.dependencies))
const total = own + all.reduce((sum, path) => sum + bytesOf(path), 0)
const sentence = `An installation without peers has ${all.length + 1} packages and ${megabytes(total)} MB, of which sitewright itself is ${megabytes(own)} MB.`
const heading =
  '| part | imports | peers: packages, MB | packages of npm it loads | code it loads | in the browser, compressed |'
const text = [sentence, '', heading, '|---|---|---|---|---|---|', ...rows].join('\n')

const before = readFileSync(page, 'utf8')
const [head = '', old = '', rest = ''] = before.split(/<!-- (?:\/)?measured -->\n/)
if (!process.argv.includes('--check')) {
  writeFileSync(page, `${head}<!-- measured -->\n${text}\n<!-- /measured -->\n${rest}`)
} else {
  const lines = old.trim().split('\n')
  const stale = text.split('\n').filter((line, index) => isOther(lines[index] ?? '', line))
  for (const line of stale) console.error(`${page}: measured as\n  ${line}`)
  if (stale.length > 0 || lines.length !== rows.length + 4) {
    console.error(`${page}: run npm run build && node test/setup/part-sizes.js`)
    process.exitCode = 1
  }
}

/** @param {(typeof parts)[number]} part */
async function measure({ part, entries, peers = [], files = [] }) {
  const imports = entries.map((entry) => `sitewright/${entry}`)
  const { metafile } = await build({
    stdin: { contents: imports.map((name) => `import '${name}'`).join('\n'), resolveDir: '.', sourcefile: 'part.js' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    // The package is sideEffects: false, but a server loads a whole module.
    ignoreAnnotations: true,
    external: peers,
  })
  const loaded = new Set(['part.js'])
  for (const file of loaded) {
    const imported = metafile.inputs[file]?.imports ?? []
    for (const { path, kind } of imported) if (kind !== 'dynamic-import' && metafile.inputs[path]) loaded.add(path)
  }
  loaded.delete('part.js')
  const names = new Set([...loaded].flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))
  const code = [...loaded].reduce((sum, file) => sum + (metafile.inputs[file]?.bytes ?? 0), 0)
  const peerPackages = installed(peers)
  const peerBytes = peerPackages.reduce((sum, path) => sum + bytesOf(path), 0)
  const cells = [
    part,
    imports.map((name) => `\`${name}\``).join(', '),
    peers.length > 0 ? `${peers.join(', ')}: ${peerPackages.length}, ${megabytes(peerBytes)} MB` : 'none',
    namesOf([...names].sort()) || 'none',
    `${kilobytes(code)} kB in ${loaded.size} files`,
    files.map((file) => `\`${file}\` ${kilobytes(gzipSync(readFileSync(`dist/${file}`)).length)} kB`).join(', ') ||
      'nothing',
  ]
  return `| ${cells.join(' | ')} |`
}

/**
 * The names of packages; of several in one scope, only the scope.
 *
 * @param {string[]} names
 */
function namesOf(names) {
  const scopeOf = (/** @type {string} */ name) => name.split('/')[0]
  const texts = names.map((name) => {
    const { length } = names.filter((other) => scopeOf(other) === scopeOf(name))
    return length > 1 ? `${scopeOf(name)} (${length})` : name
  })
  return [...new Set(texts)].join(', ')
}

/**
 * The folders of packages and their dependencies, as npm installs them on this machine.
 *
 * @param {string[]} names
 */
function installed(names) {
  const folders = new Set(names.map((name) => `node_modules/${name}`))
  for (const folder of folders) {
    const { dependencies, optionalDependencies } = locked[folder]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const candidates = [`${folder}/node_modules/${name}`, `node_modules/${name}`]
      const found = candidates.find((path) => locked[path] && statSync(path, { throwIfNoEntry: false }))
      if (found) folders.add(found)
    }
  }
  return [...folders]
}

/**
 * The bytes of a file, or of all files in a folder.
 *
 * @param {string} path
 * @returns {number}
 */
function bytesOf(path) {
  if (path.includes('*')) return 0
  if (statSync(path).isFile()) return statSync(path).size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return bytes < 10_000 ? (bytes / 1_000).toFixed(1) : Math.round(bytes / 1_000)
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / 1_000_000).toFixed(1)
}

/**
 * @param {string} before
 * @param {string} after
 */
function isOther(before, after) {
  const number = /\d+(?:\.\d+)?/g
  const [old, current] = [before, after].map((line) => line.match(number)?.map(Number) ?? [])
  const isNear = (/** @type {number} */ value, /** @type {number} */ index) =>
    Math.abs(value - (old?.[index] ?? Number.NaN)) <= value * tolerance
  return before.replace(number, '') !== after.replace(number, '') || !current?.every(isNear)
}
