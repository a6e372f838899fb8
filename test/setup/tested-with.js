// Writes which versions the tests have run with into docs/start/tested.md, by the lock files: `npm run test:all` calls it when all
// tests have passed. With `--check`, says whether the versions differ from the page's.
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const page = new URL('docs/start/tested.md', root)

/** @type {[name: string, file: string, entries: string[]][]} The folders of the packages in a lock file, the oldest first. */
const rows = [
  ['Next.js', '', ['test/next15/node_modules/next', 'node_modules/next']],
  ['Express', '', ['node_modules/express4', 'node_modules/express']],
  ['Hono', '', ['node_modules/hono']],
  ['@hono/node-server', '', ['node_modules/hono-server-1.14', 'node_modules/@hono/node-server']],
  ['React', '', ['test/react18/node_modules/react', 'node_modules/react']],
  ['sharp', '', ['node_modules/sharp']],
  ['node-redis', '', ['node_modules/redis', 'node_modules/redis6']],
  ['ioredis', '', ['node_modules/ioredis', 'node_modules/ioredis6']],
  ['TypeScript', '', ['test/typescript/5.7/node_modules/typescript', 'test/typescript/7/node_modules/typescript']],
  ['Vite', '', ['node_modules/vite']],
  ['Tailwind CSS', '', ['node_modules/tailwindcss']],
  ['Node', 'test/runtimes/', ['node_modules/node22-linux-x64', 'node_modules/node26-linux-x64']],
  ['Bun', 'test/runtimes/', ['node_modules/@oven/bun-linux-x64']],
  ['Deno', 'test/runtimes/', ['node_modules/@deno/linux-x64-glibc']],
  ['workerd', 'test/runtimes/', ['node_modules/@cloudflare/workerd-linux-64']],
  ['Astro', 'test/frameworks/', ['node_modules/astro']],
  ['Fastify', 'test/frameworks/', ['node_modules/fastify']],
  ['Nitro', 'test/frameworks/', ['node_modules/nitro']],
  ['React Router', 'test/frameworks/', ['node_modules/react-router']],
  ['SvelteKit', 'test/frameworks/', ['node_modules/@sveltejs/kit']],
  ['TanStack Start', 'test/frameworks/', ['node_modules/@tanstack/react-start']],
]

const lines = rows.map(([name, folder, entries]) => {
  const { packages } = JSON.parse(readFileSync(new URL(`${folder}package-lock.json`, root), 'utf8'))
  const versions = entries.map((entry) => packages[entry].version)
  return `| ${name} | ${versions.join(' and ')} |`
})
const table = ['| package | versions |', '|---|---|', ...lines].join('\n')

const before = readFileSync(page, 'utf8')
const after = before.replace(/\| package [\s\S]*?\n(?=\n)/, `${table}\n`)
if (!process.argv.includes('--check')) {
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(page, after.replace(/(in one run on:\s)[\w\s-]+\./, `$1${today}.`))
} else if (after !== before) {
  console.error(
    'docs/start/tested.md: the versions differ; run npm run test:all, or node test/setup/tested-with.js after it',
  )
  process.exitCode = 1
}
