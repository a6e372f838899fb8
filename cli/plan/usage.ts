import { posix } from 'node:path'
import type { Project } from '../project/project.js'
import { importLine } from './mount.js'

/** A command or code to copy, with a title. */
export interface Usage {
  title: string
  lines: string[]
}

/** Returns an example of a page that shows a picture and is cached until it is purged; none for Vite's own server. */
export function exampleOf(project: Project): Usage[] {
  if (project.server === 'vite') return []
  const title = 'A page with a picture, cached until it is purged:'
  if (project.server === 'next') return [{ title, lines: nextExample(project) }]
  return [{ title, lines: routeExample(project) }, ...(project.server === 'hono' ? honoUsages : [])]
}

const honoUsages: Usage[] = [
  {
    title: 'The routes that you have, cached (`site` has them, `app` is a new one):',
    lines: [
      'const render = cache.wrap(async (request) => site.fetch(request))',
      'app.use(sitewright, honoMiddleware(render))',
    ],
  },
  { title: "A picture in Hono's JSX:", lines: ['<img {...images.srcSet({ src, width: 640 })} alt="" />'] },
]

function routeExample(project: Project): string[] {
  const { server, serverFile } = project
  const middleware = server === 'hono' ? 'honoMiddleware' : 'expressMiddleware'
  const from = serverFile?.path ?? `${project.source}server.mjs`
  return [
    importLine(project, from, serverFile?.text, middleware, `sitewright/${server}`),
    importLine(project, from, serverFile?.text, 'cache, images'),
    'const headers = {',
    "  'Content-Type': 'text/html; charset=utf-8',",
    "  'Cache-Control': 'public, max-age=0, s-maxage=86400',",
    '}',
    'const page = cache.wrap(async () => {',
    '  const { src, srcset, sizes } = images.srcSet({',
    `    src: '${pictureOf(project)}',`,
    '    width: 640,',
    '  })',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the user's template
    '  const html = `<img src="${src}" srcset="${srcset}"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
    '    sizes="${sizes}" alt="What it shows">`',
    '  return new Response(html, { headers })',
    '})',
    `app.get('/example', ${middleware}(page))`,
  ]
}

const unstableCacheLines = [
  "const tags = ['document']",
  "const readCached = unstable_cache(readContent, ['example'], { tags })",
]
const useCacheLines = [
  'async function readCached() {',
  "  'use cache'",
  "  cacheTag('document')",
  '  return readContent()',
  '}',
]

function nextExample(project: Project): string[] {
  return [
    `// ${project.source}app/${project.pageFolder}example/page.${project.typescript ? 'tsx' : 'js'}`,
    `import { ${project.cacheComponents ? 'cacheTag' : 'unstable_cache'} } from 'next/cache'`,
    "import Image from 'next/image'",
    '// In place of the date: what your CMS answers.',
    'const readContent = async () => new Date().toISOString()',
    ...(project.cacheComponents ? useCacheLines : unstableCacheLines),
    "const alt = 'What it shows'",
    'export default async function Page() {',
    `  const image = { src: '${pictureOf(project)}', width: 640, height: 480 }`,
    '  return <p>{await readCached()} <Image {...image} alt={alt} /></p>',
    '}',
  ]
}

/** Returns what to run and open, for the last lines. */
export function runLines(project: Project): Usage[] {
  const origin = `http://localhost:${portOf(project)}`
  const picture = Buffer.from(pictureOf(project)).toString('base64url')
  return [
    { title: 'Run:', lines: [runCommand(project)] },
    { title: 'Open:', lines: [`${origin}/_image/${picture}?width=640`, `${origin}/styleguide`] },
    {
      title: 'Purge the pages, as your CMS does when something was published:',
      lines: [
        `. ./${project.environmentFile}`,
        'curl -X POST -H "Authorization: Bearer $REVALIDATE_SECRET" \\',
        `  ${origin}/api/revalidate`,
      ],
    },
  ]
}

function pictureOf({ media, picture = 'cat.jpg' }: Project): string {
  return media.prefix + picture
}

function runCommand({ server, manager, scripts, serverFile, source, typescript, esm }: Project): string {
  const script = ['dev', 'start'].find((name) => name in scripts)
  if (script) return `${manager} run ${script}`
  if (server === 'next' || server === 'vite') return `npx ${server}${server === 'next' ? ' dev' : ''}`
  const path = serverFile?.path ?? posix.join(source, `server.${esm ? 'js' : 'mjs'}`)
  return typescript ? `npx tsx ${serverFile?.path ?? `${source}server.ts`}` : `node ${path}`
}

function portOf({ server, serverFile, scripts }: Project): string {
  const inScript = /\s(?:-p|--port)[ =](\d+)/.exec(scripts.dev ?? scripts.start ?? '')
  const inServer = /(?:\bPORT\b['"\])\s]*(?:\?\?|\|\|)|\.listen\(|\bport\s*[:=])\s*['"]?(\d+)/i.exec(
    serverFile?.text ?? '',
  )
  return inScript?.[1] ?? inServer?.[1] ?? (server === 'vite' ? '5173' : '3000')
}
