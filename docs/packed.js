// Writes the documentation into dist/docs as the package has it: pages that read by themselves in any editor. What only the site
// understands (includes, containers, its own links and headings) becomes plain Markdown. Part of `npm run build`.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const docs = fileURLToPath(new URL('.', import.meta.url))
const out = join(docs, '../dist/docs')
const { exports: entries, homepage } = JSON.parse(readFileSync(join(docs, '../package.json'), 'utf8'))
const include = /^<<< @\/(\S+)(?: \[(.+)\])?$/gm
const region = /^<!--@include: (\S+)#(\w+)-->$/gm

const paths = ['', 'start', 'guide', 'migrate'].flatMap((folder) =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name)),
)
const pages = new Map(paths.map((path) => [path, expand(path)]))
const ids = new Map([...pages].map(([path, text]) => [path, headingsOf(text)]))

rmSync(out, { recursive: true, force: true })
for (const [path, text] of pages) {
  const file = join(out, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, toPlain(path, text))
}
const isDrawing = (/** @type {string} */ name) => extname(name) === '' || extname(name) === '.svg'
cpSync(join(docs, 'public/figures'), join(out, 'figures'), { recursive: true, filter: isDrawing })

/** Returns a page with the files that it includes. */
function expand(/** @type {string} */ path) {
  const text = readFileSync(join(docs, path), 'utf8')
  const whole = text.replace(region, (_, file, name) => {
    const included = readFileSync(join(docs, dirname(path), file), 'utf8')
    const [, content = ''] = included.split(new RegExp(`<!-- #(?:end)?region ${name} -->\n`))
    return content.trim()
  })
  const page = path === 'index.md' ? homePage(whole) : whole
  return page.replace(include, (line, file, title) => {
    // The line stays, so that a build is possible while one writes; a test of the package reports it.
    if (!existsSync(join(docs, file))) return line
    const code = readFileSync(join(docs, file), 'utf8')
    const fence = code.includes('```') ? '````' : '```'
    return `${title ? `\`${title}\`:\n\n` : ''}${fence}${extname(file).slice(1)}\n${code}${fence}`
  })
}

/** Returns the first page of the site, whose head is data, as a list of links. */
function homePage(/** @type {string} */ text) {
  const [, head = '', body = ''] = text.split(/^---\n/m)
  const fieldOf = (/** @type {string} */ name) => new RegExp(`^ +${name}: (.*)$`, 'm').exec(head)?.[1]
  const features = [...head.matchAll(/- title: (.*)\n +details: (.*)\n +link: (.*)/g)]
  const list = features.map(([, title, details, link]) => `- [${title}](${link}): ${details}`)
  const content = body.replace(/^<\/?div.*>\n\n?/gm, '')
  return `# ${fieldOf('name')}\n\n${fieldOf('text')}. ${fieldOf('tagline')}\n\n${list.join('\n')}\n\n${content.trim()}\n`
}

/** Splits a page into text, at the even places, and blocks of code between. */
function splitCode(/** @type {string} */ text) {
  const parts = ['']
  let fence = ''
  for (const line of text.split(/(?<=\n)/)) {
    const [, mark = ''] = /^ *(`{3,})/.exec(line) ?? []
    const isStart = fence === '' && mark !== ''
    if (isStart) fence = mark
    if (isStart) parts.push(line)
    else parts[parts.length - 1] += line
    if (isStart || mark !== fence || fence === '') continue
    fence = ''
    parts.push('')
  }
  return parts
}

/** Returns the id that each heading has in plain Markdown, by its id on the site. */
function headingsOf(/** @type {string} */ text) {
  const result = new Map()
  const prose = splitCode(text).filter((_, index) => index % 2 === 0)
  for (const [, heading = '', id] of prose.join('').matchAll(/^#{1,6} (.+?)(?: \{#([\w-]+)\})?$/gm)) {
    const title = heading.replaceAll('`', '').toLowerCase()
    // On the site, as @mdit-vue/shared forms it; in plain Markdown, as GitHub and editors do.
    const ofSite = title.replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/…]+/g, '-').replace(/^-|-$/g, '')
    const plain = title.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')
    const count = [...result.values()].filter((other) => other === plain).length
    const suffix = count > 0 ? `-${count}` : ''
    result.set((id ?? ofSite) + suffix, plain + suffix)
  }
  return result
}

/** Returns a page in plain Markdown. */
function toPlain(/** @type {string} */ path, /** @type {string} */ text) {
  const parts = splitCode(text).map((part, index) => {
    if (index % 2 === 1) return part
    return part
      .replace(/^<!-- \/?figures.*-->\n|<!-- \/?figures.*?-->/gm, '')
      .replace(/^(#{1,6} .+?) \{#[\w-]+\}$/gm, '$1')
      .replace(/^:::+ \w+ (.*)\n(.*?)^:::+$/gms, (_, title, note) => quote(`**${title}**\n\n${note.trim()}`))
      .replace(
        /(`+)[^`]+?\1|(!?)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)(?:\{[^}]*\})?/g,
        (match, code, isPicture, label, href) => {
          if (code) return match
          const target = isPicture ? drawing(path, href) : resolve(path, href)
          if (target) return `${isPicture}[${label}](${target})`
          return isPicture ? `*(Picture: ${label})*` : label
        },
      )
  })
  return parts.join('')
}

function quote(/** @type {string} */ text) {
  return text.replace(/^/gm, '> ').replace(/ $/gm, '')
}

/** Returns the path of a drawing. Photographs and screenshots are left out: they would double the package. */
function drawing(/** @type {string} */ from, /** @type {string} */ href) {
  if (!href.endsWith('.svg')) return undefined
  return posix.relative(posix.dirname(from), posix.join('figures', posix.basename(href)))
}

/** Returns where a link of a page leads in the package; `undefined` if it has no such file. */
function resolve(/** @type {string} */ from, /** @type {string} */ href) {
  if (/^[a-z]+:/i.test(href)) return href
  const [path = '', hash] = href.split('#')
  const relative = (/** @type {string} */ to) => posix.relative(posix.dirname(from), to)
  const [, entry] = /^\/reference\/sitewright\/([\w-]+)\//.exec(path) ?? []
  if (entry) return relative(entries[`./${entry}`].replace(/^\.\/dist\/(.*)\.js$/, '../$1.d.ts'))
  if (path.startsWith('/demo/')) return homepage && `${homepage.replace(/\/$/, '')}${path}`
  const page = path === '' ? from : posix.join(path.startsWith('/') ? '.' : posix.dirname(from), path)
  const file = `${page.replace(/(^|\/)$/, '$1index').replace(/\.md$/, '')}.md`.replace(/^\//, '')
  const headings = ids.get(file)
  if (!headings) return undefined
  const id = hash && (headings.get(hash) ?? hash)
  return `${file === from ? '' : relative(file)}${id ? `#${id}` : ''}`
}
