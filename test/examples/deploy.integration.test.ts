import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { resolveOptions } from '../../adapters/sharp/options.js'
import { createEncoder } from '../../adapters/sharp/transforms/encoders.js'
import { memoryTagIndex } from '../../core/cache/index.js'

const read = (path: string) => readFile(new URL(`../../examples/${path}`, import.meta.url), 'utf8')
const sources = execFileSync('git', ['ls-files', 'examples/site', 'examples/vite-hono'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(js|tsx?)$/.test(file))
const code = (await Promise.all(sources.map((file) => read(file.replace('examples/', ''))))).join('\n')
const files = ['compose.yaml', 'compose.cdn.yaml']

describe.each(files)('%s', (file) => {
  it('the file gives the site no setting that the site does not read', async () => {
    const { services } = parse(await read(`deploy/${file}`))
    const names = Object.keys(services.site.environment)
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) expect(code).toMatch(new RegExp(`\\b${name}\\b`))
  })
})

describe('imgproxy answers like the embedded service', async () => {
  const { image, environment } = parse(await read('deploy/compose.yaml')).services.imgproxy
  const documented = await read('../docs/guide/imgproxy.md')

  it('imgproxy is version 4, without settings that this version no longer has', () => {
    expect(image).toMatch(/:v4(?:\.|$)/)
    expect(Object.keys(environment)).not.toContain('IMGPROXY_USE_ETAG')
  })

  it('imgproxy has each setting with the value that the documentation names', () => {
    for (const [name, value] of Object.entries(environment)) {
      const row = documented.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${name}\``))
      expect(row, name).toBeDefined()
      if (!/KEY|SALT|ROOT/.test(name)) expect(row).toContain(`\`${value}\``)
    }
  })

  it('imgproxy has the defaults of the embedded service', async () => {
    const site = { sources: {}, cache: undefined, tagIndex: memoryTagIndex(), maxAge: 300, log: undefined }
    const settings = resolveOptions({}, site)
    const [{ avif, webp, jpeg }] = JSON.parse(createEncoder().settings)
    expect(environment).toMatchObject({
      IMGPROXY_MAX_SRC_RESOLUTION: String(settings.maxPixels / 1_000_000),
      IMGPROXY_MAX_SRC_FILE_SIZE: String(settings.maxSourceBytes),
      IMGPROXY_TTL: String(site.maxAge),
      IMGPROXY_DOWNLOAD_TIMEOUT: String(settings.sourceTimeout / 1000),
    })
    expect(environment).toMatchObject({
      IMGPROXY_FORMAT_QUALITY: `avif=${avif.quality},webp=${webp.quality}`,
      IMGPROXY_QUALITY: String(jpeg.quality),
      IMGPROXY_WEBP_EFFORT: String(webp.effort),
    })
  })
})

it('the proxy of the site and imgproxy have the same key and the same root', async () => {
  const { site, imgproxy, redis } = parse(await read('deploy/compose.yaml')).services
  expect(imgproxy.environment).toMatchObject({
    IMGPROXY_KEY: site.environment.IMAGE_PROXY_KEY,
    IMGPROXY_SALT: site.environment.IMAGE_PROXY_SALT,
    IMGPROXY_LOCAL_FILESYSTEM_ROOT: site.environment.SITE_FOLDER,
  })
  expect(imgproxy.volumes).toEqual(site.volumes)
  // The purged tags have no lifetime in Redis, and must never be evicted.
  expect(redis.command).toContain('volatile-lru')
})
