// Checks the package as npm would publish it: every export has its file and its types, every built file is sound.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

const { messages } = await publint({ strict: true })
for (const message of messages) console.error(formatMessage(message, manifest))

// Files for a browser, and no modules.
const assets = Object.keys(manifest.exports).filter((entry) => /\.(?:css|js|json)$/.test(entry))
execFileSync(
  'npx',
  ['attw', '--pack', '.', '--profile', 'esm-only', '--quiet', '--exclude-entrypoints', ...assets, './none'],
  { stdio: 'inherit' },
)

for (const [entry, target] of Object.entries(manifest.exports)) {
  // The types beside a stylesheet are a file, too.
  const [file, ...others] = typeof target === 'string' ? [target] : Object.values(target).reverse()
  for (const other of others) readFileSync(other)
  if (assets.includes(entry)) readFileSync(file)
  else await import(pathToFileURL(file).href)
}
if (messages.length > 0) process.exit(1)
console.log(`${Object.keys(manifest.exports).length} exports are sound`)
