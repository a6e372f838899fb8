import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const read = (path: string) => readFile(new URL(`../../examples/${path}`, import.meta.url), 'utf8')
const sources = execFileSync('git', ['ls-files', 'examples/site', 'examples/vite-hono'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(js|tsx?)$/.test(file))
const code = (await Promise.all(sources.map((file) => read(file.replace('examples/', ''))))).join('\n')
const files = ['compose.yaml', 'compose.cdn.yaml']

describe.each(files)('%s', (file) => {
  it('gives the site no setting that it does not read', async () => {
    const { services } = parse(await read(`deploy/${file}`))
    const names = Object.keys(services.site.environment)
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) expect(code).toMatch(new RegExp(`\\b${name}\\b`))
  })
})

it('the proxy of the site and imgproxy have one key, and one root', async () => {
  const { site, imgproxy, redis } = parse(await read('deploy/compose.yaml')).services
  expect(imgproxy.environment).toMatchObject({
    IMGPROXY_KEY: site.environment.IMAGE_PROXY_KEY,
    IMGPROXY_SALT: site.environment.IMAGE_PROXY_SALT,
    IMGPROXY_LOCAL_FILESYSTEM_ROOT: site.environment.SITE_FOLDER,
  })
  expect(imgproxy.volumes).toEqual(site.volumes)
  // What was purged has no lifetime in Redis, and must never be evicted.
  expect(redis.command).toContain('volatile-lru')
})
