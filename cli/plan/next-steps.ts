import { posix } from 'node:path'
import type { Project } from '../project/project.js'
import { installCommands } from './packages.js'
import { sourceEnding } from './templates.js'

/** Something for the user to do: what, and the lines to copy. */
export interface Step {
  title: string
  lines: string[]
}

/** Returns what is left to do by hand; what was done already is left out. */
export function nextSteps(project: Project): Step[] {
  const install = installCommands(project)
  return [
    ...(install.length > 0 ? [{ title: 'Install packages:', lines: install }] : []),
    ...mountSteps(project),
    ...environmentStep(project),
    ...mediaStep(project),
    ...(project.findsTypes
      ? []
      : [{ title: 'tsconfig.json, where TypeScript does not find the types yet:', lines: moduleResolution }]),
  ]
}

const moduleResolution = ['"module": "nodenext", "moduleResolution": "nodenext"']

const environmentTitles: Record<Project['server'], string> = {
  next: '.env.local:',
  hono: '.env, which `node --env-file=.env` reads:',
  express: '.env, which `node --env-file=.env` reads:',
  vite: "The environment of the server, which Vite's own .env files are not:",
}

function environmentStep({ server, hasSecret }: Project): Step[] {
  if (hasSecret) return []
  const lines = ['REVALIDATE_SECRET=   # from: openssl rand -hex 32', 'STYLEGUIDE_ENABLED=true']
  return [{ title: environmentTitles[server], lines }]
}

function mediaStep({ server, media, hasMedia }: Project): Step[] {
  if (hasMedia) return []
  const src = `${media.prefix}cat.jpg`
  const use =
    server === 'next'
      ? `<Image src="${src}" width={640} height={480} alt="A cat" />`
      : `images.srcSet({ src: '${src}', width: 640 })`
  return [{ title: `Put pictures into ${media.folder}, and show them:`, lines: [use] }]
}

function mountSteps(project: Project): Step[] {
  if (project.server === 'next') return nextConfigStep(project)
  if (project.server === 'vite') return [...viteConfigStep(project), ...serverStep(project)]
  return serverStep(project)
}

function nextConfigStep({ config, source, typescript }: Project): Step[] {
  if (config?.text.includes('image-loader')) return []
  const loader = `./${source}image-loader.${typescript ? 'ts' : 'js'}`
  return [
    {
      title: `${config?.path ?? 'next.config.ts'}, in the configuration:`,
      lines: [`images: { loader: 'custom', loaderFile: '${loader}' },`],
    },
  ]
}

function viteConfigStep(project: Project): Step[] {
  const { config } = project
  if (config?.text.includes(importPath(project, ''))) return []
  return [
    {
      title: `${config?.path ?? 'vite.config.js'}, for \`vite\` and \`vite preview\`:`,
      lines: [
        importLine(project, ''),
        'plugins: [{',
        "  name: 'sitewright',",
        '  configureServer: ({ middlewares }) => void middlewares.use(sitewright),',
        '  configurePreviewServer: ({ middlewares }) => void middlewares.use(sitewright),',
        '}],',
      ],
    },
  ]
}

function serverStep(project: Project): Step[] {
  const { server, serverFile } = project
  if (server === 'vite' && !serverFile) return []
  const path = serverFile?.path ?? `${project.source}server.${sourceEnding(project)}`
  if (serverFile?.text.includes(importPath(project, path))) return []
  const mount =
    server === 'vite'
      ? 'createServer((req, res) => sitewright(req, res, () => yourHandler(req, res)))'
      : 'app.use(sitewright)'
  const title = serverFile ? `${path}, before your own routes:` : 'The file of your server, before your own routes:'
  return [{ title, lines: [importLine(project, path, serverFile?.text), mount] }]
}

/** A file that requires, as CommonJS does, is told to require. */
function importLine(project: Project, from: string, text = ''): string {
  const path = importPath(project, from)
  const requires =
    !project.typescript && !project.esm && !from.endsWith('.mjs') && !/^import\s/m.test(text) && from !== ''
  return requires ? `const { sitewright } = require('${path}')` : `import { sitewright } from '${path}'`
}

function importPath({ source, typescript, esm, tsExtensions }: Project, from: string): string {
  const ending = typescript && !tsExtensions ? 'js' : sourceEnding({ typescript, esm })
  const path = posix.relative(posix.dirname(from || '.'), `${source}sitewright/index.${ending}`)
  return path.startsWith('.') ? path : `./${path}`
}
