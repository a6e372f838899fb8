import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere, serveSite } from './testing/hostile-site.js'
import { createProject, type Files, listFiles, writeProject } from './testing/project.js'

/** Returns the texts of files by their paths, without the list of the export. */
const readFiles = (folder: string) =>
  Object.fromEntries(
    listFiles(folder)
      .filter((path) => !path.endsWith('/.sitewright-export'))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )

const link = (href: string) => `<a href="${href}">x</a>`
const inPlace = 'was not written: no export wrote what is in its place'

describe('names of pages', () => {
  const names: [string, string][] = [
    ['a line break', '/guide/a%0A../victim.txt%0Az'],
    ['a line break, encoded twice', '/guide/a%250A..'],
    ['dots that are encoded', '/guide/%252e%252e/%2e%2e%2fvictim.txt'],
    ['dots behind a backslash', '/guide/..%5C..%5Cvictim.txt'],
    ['dots with a space, which Windows drops', '/guide/..%20/..%20/victim.txt'],
    ['only dots', '/guide/.../....'],
    ['a drive of Windows', '/guide/C:/victim.txt'],
    ['a stream of Windows', '/guide/a.html::$DATA'],
    ['a device of Windows', '/guide/CON'],
    ['a device of Windows, with an ending', '/guide/nul.txt'],
    ['a space at the end', '/guide/a%20'],
    ['a dot at the end', '/guide/a.'],
    ['the list of the export', '/guide/.sitewright-export'],
    ['the unfinished file', '/guide/.sitewright-unfinished'],
    ['a folder of git', '/guide/.git/hooks'],
    ['1,000 letters', `/guide/${'a'.repeat(1000)}`],
    ['1,000 bytes in 250 letters', `/guide/${encodeURIComponent('𠀀'.repeat(250))}`],
    ['1,000 folders', `/guide${'/a'.repeat(1000)}`],
    ['a control character', '/guide/a%1B%5B2J'],
    ['a mark that turns the direction', `/guide/${encodeURIComponent('a\u202egpj.exe')}`],
    ['letters of both cases', '/guide/Colors'],
    ['a letter in two characters', `/guide/${encodeURIComponent('a\u0308')}`],
    ['the file of another page', '/guide/index.html'],
  ]

  it.each(names)(
    'a page whose name has %s is written within the folder, to a name for every system',
    async (_, path) => {
      const folder = createProject({ 'victim.txt': 'mine', 'out/.git/HEAD': 'mine' })
      const requested = new URL(path, 'http://a.test').pathname
      const pages = { '/guide': link(path) + link('/guide/colors'), '/guide/colors': 'colors', [requested]: 'hostile' }
      const url = await serveSite(pages)
      expect(await runHere(folder, 'styleguide', url, '--out', 'out')).toMatchObject({ code: 0, err: '' })
      const files = readFiles(folder)
      const hostile = Object.keys(files).filter((file) => files[file] === 'hostile')
      expect(hostile).toEqual([expect.stringMatching(/^out\/files\/[a-z0-9_-]{0,32}-[0-9a-f]{8}\.html$/)])
      expect(files['out/index.html']).toContain(`href="${hostile[0]?.slice('out/'.length)}"`)
      // The second run removes the hostile page.
      pages['/guide'] = link('/guide/colors')
      expect(await runHere(folder, 'styleguide', url, '--out', 'out')).toMatchObject({ code: 0, err: '' })
      expect(readFiles(folder)).toEqual({
        'victim.txt': 'mine',
        'out/.git/HEAD': 'mine',
        'out/index.html': '<a href="colors/index.html">x</a>',
        'out/colors/index.html': 'colors',
      })
    },
  )

  it.each([
    ['/guide/farben-für-alle', 'out/farben-für-alle/index.html'],
    ['/guide/色/a_b', 'out/色/a_b/index.html'],
    ['/guide/v1.2', 'out/v1.2/index.html'],
    ['/guide/हिन्दी', 'out/हिन्दी/index.html'],
  ])('the page %s keeps its name', async (path, file) => {
    const folder = createProject({})
    const url = await serveSite({ '/guide': link(path), [encodeURI(path)]: 'page' })
    await runHere(folder, 'styleguide', url, '--out', 'out')
    expect(readFiles(folder)[file]).toBe('page')
  })

  it('a file with a long ending or type gets a short name', async () => {
    const folder = createProject({})
    const paths = [`/a.${'b'.repeat(400)}`, '/c.d:e|f', '/g']
    const files = Object.fromEntries(paths.map((path) => [path, 'x']))
    const html = paths.map((path) => `<img src="${path}">`).join('')
    const typeOf = (path: string) => (path === '/guide' ? 'text/html' : `image/${'x'.repeat(400)}`)
    const url = await serveSite({ '/guide': html, ...files }, typeOf)
    expect(await runHere(folder, 'styleguide', url, '--out', 'out')).toMatchObject({ code: 0, err: '' })
    const names = readdirSync(join(folder, 'out/files'))
    expect(names).toHaveLength(3)
    for (const name of names) expect(name).toMatch(/^[\w-]+\.\w{1,12}$/)
  })
})

describe('files that no export wrote', () => {
  const pages = () => ({ '/guide': link('/guide/colors'), '/guide/colors': 'colors' }) as Record<string, string>
  const run = async (folder: string, site = pages()) =>
    runHere(folder, 'styleguide', await serveSite(site), '--out', 'out')

  it.each([
    ['of an earlier version', '../victim.txt\nmine.txt\ncolors/index.html\n'],
    ['without digests', `${'0'.repeat(64)}  ../victim.txt\n${'0'.repeat(64)}  mine.txt\n`],
    ['that is JSON', '["mine.txt"]'],
    ['with a text of one line', 'a'.repeat(1000)],
  ])('with a prepared list %s, no file is removed or overwritten', async (_, list) => {
    const files = { 'victim.txt': 'mine', 'out/mine.txt': 'mine', 'out/colors/index.html': 'mine' }
    const folder = createProject({ ...files, 'out/.sitewright-export': list })
    const { code, out } = await run(folder)
    expect([code, out]).toEqual([1, `out/colors/index.html ${inPlace}\nout: 1 pages and 0 other files\n`])
    expect(readFiles(folder)).toEqual({ ...files, 'out/index.html': '<a href="colors/index.html">x</a>' })
  })

  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  it.each([
    ['above the folder', '../victim.txt'],
    ['within and above', 'a/../../victim.txt'],
    ['above, as Windows writes it', '..\\victim.txt'],
    ['from the root', '/../victim.txt'],
    ['behind a link', 'linked/victim.txt'],
    ['that is a link', 'link.txt'],
    ['with another digest', 'mine.txt'],
  ])('a prepared list with a path %s removes no file', async (_, path) => {
    const folder = createProject({ 'a/victim.txt': 'mine', 'victim.txt': 'mine', 'out/mine.txt': 'mine' })
    symlinkSync('../a', join(folder, 'out/linked'))
    symlinkSync('../victim.txt', join(folder, 'out/link.txt'))
    const digest = sha256(path === 'mine.txt' ? 'other' : 'mine')
    writeProject(folder, { 'out/.sitewright-export': `${digest}  ${path}\n${path}\n` })
    expect((await run(folder)).code).toBe(0)
    unlinkSync(join(folder, 'out/linked'))
    expect(readFiles(folder)).toEqual({
      'a/victim.txt': 'mine',
      'victim.txt': 'mine',
      'out/mine.txt': 'mine',
      'out/link.txt': 'mine',
      'out/index.html': '<a href="colors/index.html">x</a>',
      'out/colors/index.html': 'colors',
    })
  })

  it('a file of the user in place of a page stays, and is named', async () => {
    const folder = createProject({})
    await run(folder, { '/guide': 'alone' })
    writeProject(folder, { 'out/colors/index.html': 'mine' })
    const { code, out, err } = await run(folder)
    expect([code, err]).toEqual([1, ''])
    expect(out).toBe(`out/colors/index.html ${inPlace}\nout: 1 pages and 0 other files\n`)
    expect(readFiles(folder)).toMatchObject({ 'out/colors/index.html': 'mine' })
    // The file stays after the page is gone.
    await run(folder, { '/guide': 'alone' })
    expect(readFiles(folder)).toEqual({ 'out/colors/index.html': 'mine', 'out/index.html': 'alone' })
  })

  it('a page that the user changed stays, both while its page exists and after', async () => {
    const folder = createProject({})
    await run(folder)
    writeProject(folder, { 'out/colors/index.html': 'changed' })
    const { code, out } = await run(folder)
    expect([code, out.split('\n')[0]]).toEqual([1, `out/colors/index.html ${inPlace}`])
    await run(folder, { '/guide': 'alone' })
    expect(readFiles(folder)).toEqual({ 'out/colors/index.html': 'changed', 'out/index.html': 'alone' })
  })

  it('a page that nobody changed is replaced', async () => {
    const folder = createProject({})
    await run(folder)
    expect((await run(folder, { ...pages(), '/guide/colors': 'new' })).code).toBe(0)
    expect(readFiles(folder)['out/colors/index.html']).toBe('new')
  })

  it('a run that was killed can be repeated', async () => {
    const folder = createProject({})
    await run(folder)
    // The state of a run that has written its list, and one of two pages, and half of the unfinished file.
    const list = readFileSync(join(folder, 'out/.sitewright-export'), 'utf8')
    await run(folder, { ...pages(), '/guide/colors': 'new' })
    const newList = readFileSync(join(folder, 'out/.sitewright-export'), 'utf8')
    writeProject(folder, {
      'out/.sitewright-export': list + newList,
      'out/colors/index.html': 'colors',
      'out/colors/.sitewright-unfinished': 'ha',
    })
    expect((await run(folder, { ...pages(), '/guide/colors': 'new' })).code).toBe(0)
    expect(readFiles(folder)['out/colors/index.html']).toBe('new')
    expect(readdirSync(join(folder, 'out/colors'))).toEqual(['index.html'])
  })

  it.each<[string, (folder: string) => void]>([
    ['a link to a folder outside', (folder) => symlinkSync('../outside', join(folder, 'out/colors'))],
    ['a link to an empty folder outside', (folder) => symlinkSync('../outside/empty', join(folder, 'out/colors'))],
    ['a broken link', (folder) => symlinkSync('../nowhere', join(folder, 'out/colors'))],
    ['a file in place of a folder', (folder) => writeFileSync(join(folder, 'out/colors'), 'mine')],
    [
      'a link to a file outside',
      (folder) => {
        mkdirSync(join(folder, 'out/colors'))
        symlinkSync('../../outside/index.html', join(folder, 'out/colors/index.html'))
      },
    ],
    [
      'a broken link in place of a page',
      (folder) => {
        mkdirSync(join(folder, 'out/colors'))
        symlinkSync('../../outside/new.html', join(folder, 'out/colors/index.html'))
      },
    ],
    ['a folder in place of a page', (folder) => mkdirSync(join(folder, 'out/colors/index.html'), { recursive: true })],
  ])('%s is not written through, and the other pages are written', async (_, prepare) => {
    const folder = createProject({ 'outside/index.html': 'mine' })
    mkdirSync(join(folder, 'outside/empty'))
    await run(folder, { '/guide': 'alone' })
    prepare(folder)
    const { code, out, err } = await run(folder)
    expect([code, err, out]).toEqual([1, '', `out/colors/index.html ${inPlace}\nout: 1 pages and 0 other files\n`])
    expect(listFiles(join(folder, 'outside'))).toEqual(['index.html'])
    expect(readFileSync(join(folder, 'outside/index.html'), 'utf8')).toBe('mine')
    expect(readFileSync(join(folder, 'out/index.html'), 'utf8')).toBe('<a href="colors/index.html">x</a>')
  })

  it('a link in place of the unfinished file is neither written through nor removed', async () => {
    const folder = createProject({ 'victim.txt': 'mine', 'out/a/b': '' } satisfies Files)
    symlinkSync('../../victim.txt', join(folder, 'out/a/.sitewright-unfinished'))
    writeProject(folder, { 'out/.sitewright-export': '' })
    const { code, err } = await run(folder, { '/guide': link('/guide/a'), '/guide/a': 'a' })
    expect([code, err]).toEqual([1, expect.stringContaining("EEXIST: file already exists, open 'out/a/.sitewright-")])
    expect(readFileSync(join(folder, 'victim.txt'), 'utf8')).toBe('mine')
    expect(readdirSync(join(folder, 'out/a'))).toContain('.sitewright-unfinished')
  })
})
