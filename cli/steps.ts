import { randomBytes } from 'node:crypto'
import type { Project } from './project.js'
import { loaderFile, setupFile, setupModule } from './templates.js'

/** Something for the user to do: a title, and the lines to copy. */
export interface Step {
  title: string
  lines: string[]
}

/** Returns the next steps, including steps that may already be done. */
export function nextSteps(project: Project): Step[] {
  return [
    ...installSteps(project),
    ...typescriptSteps(project),
    ...(project.server === 'next' ? nextConfigSteps(project) : serverSteps(project)),
    environmentStep(project),
    ...(project.media.picture === undefined ? [pictureStep(project)] : []),
    ...exampleSteps(project),
    ...runSteps(project),
  ]
}

function installSteps({ server, typescript, dependencies, manager }: Project): Step[] {
  const framework = { next: ['next'], hono: ['hono'], express: ['express'], vite: [] }[server]
  // Of `sitewright/node`. undici 8 needs Node 22.19; 7 runs on every version.
  const client = server === 'next' ? [] : ['undici@7']
  const packages = ['sitewright', 'sharp', ...client, ...framework, 'react', 'react-dom']
  const typed = ['node', ...(server === 'express' ? ['express'] : []), 'react', 'react-dom']
  const types = typescript ? typed.map((name) => `@types/${name}`) : []
  const missing = (names: string[]) => names.filter((name) => !dependencies.has(name.replace(/@\d+$/, '')))
  const add = `${manager} ${manager === 'npm' ? 'install' : 'add'}`
  const lines = [
    [add, ...missing(packages)],
    [`${add} -D`, ...missing(types)],
  ]
  const commands = lines.filter((words) => words.length > 1).map((words) => words.join(' '))
  return commands.length > 0 ? [{ title: 'Install:', lines: commands }] : []
}

function typescriptSteps({ server, typescript, rejectsEsModules }: Project): Step[] {
  if (!typescript || !rejectsEsModules || server === 'next') return []
  const title = 'tsconfig.json, whose setting rejects ES modules in a CommonJS package (TypeScript 5.8 or later):'
  return [{ title, lines: ['"module": "nodenext"'] }]
}

function nextConfigSteps(project: Project): Step[] {
  const { config, type } = project
  const steps: Step[] = []
  if (type === 'commonjs') {
    const title = 'package.json has "type": "commonjs", so Next.js rejects ES modules:'
    steps.push({ title, lines: ['npm pkg delete type'] })
  }
  if (config && !config.text.includes('image-loader')) {
    const line = `images: { loader: 'custom', loaderFile: '${loaderFile(project)}' },`
    steps.push({ title: `${config.path}, in the configuration:`, lines: [line] })
  }
  return steps
}

/** Shows a complete server, because a newcomer has none. An existing server needs only two of its lines. */
function serverSteps(project: Project): Step[] {
  const { server, source, typescript } = project
  if (server === 'vite') return [viteConfigStep(project)]
  const mounted = [
    importLine(project, '{ sitewright }', setupModule(project)),
    `const app = ${server === 'hono' ? 'new Hono()' : 'express()'}`,
    'app.use(sitewright) // before every route, also a catch-all',
  ]
  const honoLines = [
    importLine(project, '{ createServer }', 'node:http'),
    importLine(project, '{ Hono }', 'hono'),
    importLine(project, '{ nodeListener }', 'sitewright/node'),
    ...mounted,
    'createServer(nodeListener(app.fetch)).listen(process.env.PORT ?? 3000)',
  ]
  const expressLines = [importLine(project, 'express', 'express'), ...mounted, 'app.listen(process.env.PORT ?? 3000)']
  const file = `${source}server.${typescript ? 'ts' : 'js'}`
  const title = `A new ${file}, or its two sitewright lines in yours${isCommonJs(project) ? ' (ESM: `import`)' : ''}:`
  return [{ title, lines: server === 'hono' ? honoLines : expressLines }]
}

function viteConfigStep(project: Project): Step {
  return {
    title: `${project.config?.path ?? 'vite.config.js'}, for \`vite\` and \`vite preview\`:`,
    lines: [
      `import { sitewright } from '${setupModule(project).replace('./', `./${project.source}`)}'`,
      'plugins: [{',
      "  name: 'sitewright',",
      '  configureServer: ({ middlewares }) => void middlewares.use(sitewright),',
      '  configurePreviewServer: ({ middlewares }) => void middlewares.use(sitewright),',
      '}],',
    ],
  }
}

function importLine(project: Project, names: string, from: string): string {
  return isCommonJs(project) ? `const ${names} = require('${from}')` : `import ${names} from '${from}'`
}

/** Whether `.js` files are CommonJS. Their `require` loads ES modules on Node 20.19, 22.12 and later. */
function isCommonJs({ typescript, type }: Project): boolean {
  return !typescript && type !== 'module'
}

function environmentStep(project: Project): Step {
  const file = environmentFile(project)
  return {
    title: `${file}, with a new random secret; keep it${project.server === 'next' ? '' : ' and .cache/'} out of git:`,
    lines: [`REVALIDATE_SECRET=${randomBytes(24).toString('base64url')}`, 'STYLEGUIDE_ENABLED=true'],
  }
}

/** Next.js reads `.env.local`; the files of the other servers read `.env`. */
function environmentFile({ server }: Project): string {
  return server === 'next' ? '.env.local' : '.env'
}

/** Shown only if no folder with a picture was found. */
function pictureStep(project: Project): Step {
  const { source, server, media } = project
  const files = server === 'next' ? `${source}images and ${source}image-loader` : setupFile(project, 'images')
  return { title: `A picture; or, in ${files}, the folder of yours:`, lines: [pictureOf(media, media.folder)] }
}

function pictureOf({ picture = 'cat.jpg' }: Project['media'], folder: string): string {
  return `${folder.replace(/\/$/, '')}/${picture}`
}

function exampleSteps(project: Project): Step[] {
  const { server, typescript, media } = project
  if (server === 'vite') return []
  const src = pictureOf(media, media.prefix)
  if (server === 'next') {
    const title = `A page with a picture, such as ${project.source}app/example/page.${typescript ? 'tsx' : 'js'}:`
    return [{ title, lines: nextExample(src) }]
  }
  return [
    { title: 'A page with a picture, cached for a day or until it is purged:', lines: serverExample(project, src) },
  ]
}

function nextExample(src: string): string[] {
  return [
    "import { unstable_cache } from 'next/cache'",
    "import Image from 'next/image'",
    "const tags = ['document']",
    "// Content of your CMS; or 'use cache' with cacheTag('document').",
    'const readContent = async () => new Date().toISOString()',
    "const readCached = unstable_cache(readContent, ['example'], { tags })",
    'export default async function Page() {',
    `  const image = { src: '${src}', width: 640, height: 480 }`,
    '  return <p>{await readCached()} <Image {...image} alt="A cat" /></p>',
    '}',
  ]
}

function serverExample(project: Project, src: string): string[] {
  const middleware = project.server === 'hono' ? 'honoMiddleware' : 'expressMiddleware'
  return [
    importLine(project, `{ ${middleware} }`, `sitewright/${project.server}`),
    importLine(project, '{ cache, images }', setupModule(project)),
    `const picture = images.srcSet({ src: '${src}', width: 640 })`,
    'const page = cache.wrap(async () => {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the user's template
    '  const html = `<img src="${picture.src}" srcset="${picture.srcset}"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
    '    sizes="${picture.sizes}" alt="A cat">`',
    '  const headers = {',
    "    'Content-Type': 'text/html; charset=utf-8',",
    "    'Cache-Control': 'public, max-age=0, s-maxage=86400',",
    '  }',
    '  return new Response(html, { headers })',
    '})',
    `app.get('/example', ${middleware}(page))`,
  ]
}

function runSteps(project: Project): Step[] {
  const { server, manager, scripts, source, typescript, media } = project
  const script = ['dev', 'start'].find((name) => scripts.has(name))
  const program = typescript ? `npx tsx ${source}server.ts` : `node ${source}server.js`
  const command = { next: 'npx next dev', vite: 'npx vite', hono: program, express: program }[server]
  const origin = `http://localhost:${server === 'vite' ? 5173 : 3000}`
  const image = Buffer.from(pictureOf(media, media.prefix)).toString('base64url')
  return [
    { title: 'Run:', lines: [script ? `${manager} run ${script}` : command] },
    { title: 'Open:', lines: [`${origin}/styleguide`, `${origin}/_image/${image}?width=640`] },
    purgeStep(environmentFile(project), origin),
  ]
}

/** Shows the request that a CMS sends. */
export function purgeStep(environment: string, origin: string): Step {
  return {
    title: 'Purge the pages, as your CMS will after publishing:',
    lines: [
      `. ./${environment}`,
      'curl -X POST -H "Authorization: Bearer $REVALIDATE_SECRET" \\',
      `  ${origin}/api/revalidate`,
    ],
  }
}
