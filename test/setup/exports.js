// Checks the package as npm would publish it: every export has its file and its types, every built file is sound, and it has what
// README links to, and no more than a limit.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const limits = { files: 1_000, bytes: 700_000 }
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const errors = []

const folder = mkdtempSync(join(tmpdir(), 'sitewright-pack-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
// Without scripts: it is built already.
const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
const [{ filename, files, size }] = JSON.parse(packed.toString())
const tarball = join(folder, filename)

if (files.length > limits.files) errors.push(`the package: expected at most ${limits.files} files, got ${files.length}`)
if (size > limits.bytes) errors.push(`the package: expected at most ${limits.bytes} bytes, got ${size}`)
const paths = files.map((/** @type {{ path: string }} */ file) => file.path)
for (const [, link = ''] of readFileSync('README.md', 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
  const target = posix.normalize(link)
  const isPacked = paths.some((/** @type {string} */ path) => path === target || path.startsWith(`${target}/`))
  if (!/^[a-z]+:/.test(link) && !isPacked) errors.push(`README.md: the package lacks ${link}`)
}
for (const path of paths) {
  if (/\.map$|\.test\./.test(path)) errors.push(`the package: ${path} does not belong into it`)
}

const { buffer } = new Uint8Array(readFileSync(tarball))
const { messages } = await publint({ strict: true, pack: { tarball: buffer } })
errors.push(...messages.map((message) => formatMessage(message, manifest)))

// Files for a browser, and no modules.
const assets = Object.keys(manifest.exports).filter((entry) => /\.(?:css|js|json)$/.test(entry))
const attw = [tarball, '--profile', 'esm-only', '--quiet', '--exclude-entrypoints', ...assets, './none']
execFileSync('node_modules/.bin/attw', attw, { stdio: 'inherit' })

for (const [entry, target] of Object.entries(manifest.exports)) {
  // The types beside a stylesheet are a file, too.
  const [file, ...others] = typeof target === 'string' ? [target] : Object.values(target).reverse()
  for (const other of others) readFileSync(other)
  if (assets.includes(entry)) readFileSync(file)
  else await import(pathToFileURL(file).href)
}
for (const error of errors) console.error(error)
if (errors.length > 0) process.exit(1)
console.log(`${Object.keys(manifest.exports).length} exports are sound: ${files.length} files, ${size} bytes`)
