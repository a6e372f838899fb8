import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root, run } from '../../cli/testing/project.js'
import { buildSite, installPackage, type RunningSite, startBuilt } from '../next-site/site.js'

// The guide's files for a site with the Pages Router and its `i18n`. With Next.js 15, also with `trailingSlash`.

const versions: [string, string, string][] = [
  ['16', '', join(import.meta.dirname, 'built-i18n')],
  ['15', '/', join(root, 'test/next15/built-i18n')],
]

describe.each(versions)('Next.js %s, addresses with %j at their end', (_, slash, folder) => {
  let site: RunningSite

  beforeAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await cp(join(root, 'docs/snippets/next-i18n'), folder, { recursive: true })
    await cp(join(import.meta.dirname, 'languages'), folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "name": "next-i18n", "private": true }')
    await mkdir(join(folder, 'public'))
    if (slash) {
      await edit('next.config.ts', 'i18n:', 'trailingSlash: true,\n  i18n:')
      await edit('routes.js', 'paths:', 'trailingSlash: true,\n  paths:')
    }
    await installPackage(folder)
    await buildSite(folder)
    site = await startBuilt(folder)
  }, 480_000)

  const edit = async (file: string, from: string, to: string) => {
    const path = join(folder, file)
    await writeFile(path, (await readFile(path, 'utf8')).replace(from, to))
  }

  afterAll(() => site?.close())

  const read = async (path: string) => {
    const response = await fetch(site.url + path)
    return { status: response.status, html: await response.text() }
  }
  const linksOf = (html: string) =>
    [...html.matchAll(/<link [^>]*rel="(?:canonical|alternate)"[^>]*>/g)].map(([tag]) =>
      [/hreflang="([^"]*)"/i.exec(tag)?.[1], /href="([^"]*)"/.exec(tag)?.[1]].join(' '),
    )

  it('the links of the head and the language switch lead to the page in each language', async () => {
    const [english, german] = [`/posts/house-cat${slash}`, `/de/posts/hauskatze${slash}`]
    const { html } = await read(german)
    expect(html).toMatch(/<html lang="de"/)
    const address = (path: string) => `https://www.example.com${path}`
    expect(linksOf(html)).toEqual([
      ` ${address(german)}`,
      `en ${address(english)}`,
      `de ${address(german)}`,
      `x-default ${address(english)}`,
    ])
    expect(html).toContain(`<a href="${english}" lang="en" hrefLang="en">English</a>`)
  })

  it('a page without a translation has no alternates, and is not found in the other language', async () => {
    expect(linksOf((await read(`/posts/boats${slash}`)).html)).toEqual([` https://www.example.com/posts/boats${slash}`])
    expect((await read(`/de/posts/boats${slash}`)).status).toBe(404)
  })

  it('a translated path is an address of its own', async () => {
    const { status, html } = await read(`/de/ueber-uns${slash}`)
    expect([status, html.includes('<h1>About</h1>')]).toEqual([200, true])
    expect(linksOf(html)[0]).toBe(` https://www.example.com/de/ueber-uns${slash}`)
  })

  it('the sitemap lists each page in each language, and `sitewright check` finds no fault', async () => {
    const { html } = await read('/sitemap.xml')
    const paths = ['/', '/de', '/about', '/de/ueber-uns', '/posts/house-cat', '/de/posts/hauskatze', '/posts/boats']
    expect([...html.matchAll(/<loc>https:\/\/www\.example\.com([^<]*)/g)].map(([, path]) => path)).toEqual(
      paths.map((path) => (path === '/' ? path : path + slash)),
    )
    expect(run(folder, ['check', site.url])).toMatchObject({ code: 0, stdout: expect.stringMatching(/: 0 faults$/m) })
  })
})
